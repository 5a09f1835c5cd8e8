import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../src/dev/cluster/cluster.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { type Program, startController, startProgram } from "../program.ts";

export interface Processes extends AsyncDisposable {
  readonly controller: Program;
  readonly sidecar: Program;
  readonly driver: Program;
}

/** As in deploy/drivers/s3.yaml. */
export const driverName = "s3.portway.dev";
const driverHome = "portway-s3";

/** The three that make a Bucket real, with the rights that they ship with, and a store behind them. */
export async function startProcesses(cluster: Cluster): Promise<Processes> {
  await cluster.apply(await readFile(join(packageRoot, "deploy/drivers/s3.yaml"), "utf8"));
  await using undo = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "pw-"));
  undo.defer(() => rm(directory, { recursive: true, force: true }));
  const socket = `unix://${join(directory, "cosi.sock")}`;
  const { AWS_ENDPOINT_URL: store, AWS_ACCESS_KEY_ID: root, AWS_SECRET_ACCESS_KEY: secret } = cluster.state.env;
  const driver = undo.use(
    startProgram(["s3-driver", `--endpoint=${socket}`, `--store-endpoint=${store ?? ""}`], {
      PORTWAY_S3_ROOT_ACCESS_KEY: root ?? "",
      PORTWAY_S3_ROOT_SECRET_KEY: secret ?? "",
      PORTWAY_S3_MASTER_KEY: randomBytes(32).toString("hex"),
    }),
  );
  const as = async (namespace: string, account: string) =>
    `--kubeconfig=${await cluster.serviceAccount(namespace, account)}`;
  const me = "--leader-election-identity=bench";
  const home = await as(driverHome, driverHome);
  const sidecar = undo.use(await startController(["cosi-sidecar", `--driver-address=${socket}`, me, home]));
  const account = await as("portway-system", "portway-buckets");
  const controller = undo.use(await startController(["controller", "--domains=buckets", me, account]));
  for (const one of [sidecar, controller]) await one.until("leader_election_master_status", 1);
  const all = undo.move();
  return { controller, sidecar, driver, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
