import { spawn } from "node:child_process";
import { Failure } from "../../api/failure.ts";

export interface KubectlCall {
  readonly program: string;
  readonly kubeconfig: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** Ends kubectl, which on its own would wait for a server that is gone. */
  readonly stop?: AbortSignal;
}

/** Runs kubectl and answers its stdout; fails with what it said. */
export async function kubectl({ program, kubeconfig, args, input, stop }: KubectlCall): Promise<string> {
  stop?.throwIfAborted();
  const child = spawn(program, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject).on("close", resolve);
  const abort = () => child.kill("SIGKILL");
  stop?.addEventListener("abort", abort, { once: true });
  try {
    if ((await promise) === 0) return stdout;
  } finally {
    stop?.removeEventListener("abort", abort);
  }
  stop?.throwIfAborted();
  throw new Failure(
    `kubectl ${args.join(" ")}: ${stderr.trim()}`,
    "The API server refused it, or could not be reached.",
  );
}
