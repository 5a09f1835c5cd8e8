import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Cluster } from "../src/dev/cluster/cluster.ts";
import { as, bound, columns, dataOf, type Outcome, patience, type Show, sha256, volumeOf } from "./stage.ts";

/** The shorter way, without any object of Portway's: an application's data is given, deleted and accepted. */
export async function giveAway(cluster: Cluster, show: Show): Promise<Outcome> {
  const [platform, alice, bob] = [
    as(cluster, "admin", "platform", show),
    as(cluster, "alice", "alice", show),
    as(cluster, "bob", "bob", show),
  ];
  show(
    "\n# An application of prod has trained a model. Its volume is given to stage, and prod deletes the claim at once.",
  );
  await alice("apply", "-f", "model.yaml");
  await alice("wait", "pvc/model", "-n", "prod", bound, patience);
  const volume = await volumeOf(cluster, "prod", "model");
  const bytes = randomBytes(1024 * 1024);
  await writeFile(await dataOf(cluster, "prod", "model"), bytes);
  await alice("annotate", "pvc/model", "-n", "prod", "transferRequest=stage/model");
  await alice("delete", "pvc/model", "-n", "prod", patience);
  await cluster.kubectl(["wait", `pv/${volume}`, "--for=jsonpath={.status.phase}=Released", patience]);
  await platform("get", "pv", "-o", columns);
  show("# The claim is gone, and the volume is kept for whoever accepts it in stage.");

  show("\n# stage accepts it, with a claim that says from where.");
  await bob("apply", "-f", "model-accepted.yaml");
  await bob("wait", "pvc/model", "-n", "stage", complete, patience);
  await platform("get", "pv", "-o", columns);
  return { written: sha256(bytes), received: sha256(await readFile(await dataOf(cluster, "stage", "model"))) };
}

const complete = "--for=jsonpath={.metadata.annotations.pvc\\.kubernetes\\.io/transfer-status}=complete";
