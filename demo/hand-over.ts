import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Cluster } from "../src/dev/cluster/cluster.ts";
import type { Process } from "./portway.ts";
import { as, bound, columns, dataOf, type Outcome, patience, type Show, sha256, volumeOf } from "./stage.ts";

/** Two teams, one volume: asked for, approved, handed over, and Portway is killed when nobody has it. */
export async function handOver(cluster: Cluster, portway: Process, show: Show): Promise<Outcome> {
  const [platform, alice, bob] = [
    as(cluster, "admin", "platform", show),
    as(cluster, "alice", "alice", show),
    as(cluster, "bob", "bob", show),
  ];
  show("\n# prod has a database. A snapshot of it is restored, for stage to try a schema change on.");
  await alice("apply", "-f", "db1.yaml");
  await alice("wait", "pvc/db1", "-n", "prod", bound, patience);
  const bytes = randomBytes(1024 * 1024);
  await writeFile(await dataOf(cluster, "prod", "db1"), bytes);
  await platform("apply", "-f", "snapshot.yaml");
  await platform(
    "wait",
    "volumesnapshot/db1-nightly",
    "-n",
    "prod",
    "--for=jsonpath={.status.readyToUse}=true",
    patience,
  );
  await alice("apply", "-f", "db1-test.yaml");
  await alice("wait", "pvc/db1-test", "-n", "prod", bound, patience);

  const volume = await volumeOf(cluster, "prod", "db1-test");

  show("\n# stage asks, prod approves. Neither can do it alone.");
  await portway.start();
  await bob("apply", "-f", "request.yaml");
  await alice("apply", "-f", "approval.yaml");
  await alice("wait", "pvc/db1-test", "-n", "prod", "--for=jsonpath={.metadata.deletionTimestamp}", patience);

  show(
    "\n# Portway has begun: prod's claim is on its way out, held by prod's back-up tool for a moment. Now Portway dies.",
  );
  await portway.kill();
  show("  kill -9 portway");
  await alice("patch", "pvc/db1-test", "-n", "prod", "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
  await cluster.kubectl(["wait", `pv/${volume}`, "--for=jsonpath={.status.phase}=Released", patience]);
  await platform("get", "pv", "-o", columns);
  show("# Nobody has the volume, and nobody destroys it: it was set to Retain before anything else was done.");

  show("\n# Portway comes back, and finishes from the journal on the volume.");
  await portway.start();
  await bob("wait", "storagetransferrequest/schema-test", "-n", "stage", "--for=condition=Complete", patience);
  await bob("get", "storagetransferrequest,pvc", "-n", "stage");
  await platform("get", "pv", "-o", columns);
  return { written: sha256(bytes), received: sha256(await readFile(await dataOf(cluster, "stage", "db1-test"))) };
}
