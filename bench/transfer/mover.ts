import { type Controller, startController } from "../program.ts";

/** The controller of transfers, with its own account. */
export async function startMover(kubeconfig: string, more: readonly string[] = []): Promise<Controller> {
  const flags = ["--domains=transfer", `--kubeconfig=${kubeconfig}`, "--leader-election-identity=bench"];
  return await startController(["controller", ...flags, ...more]);
}
