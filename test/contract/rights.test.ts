import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { asTenant, freshNamespace, laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();

test("a tenant has the rights of the role in the bound namespace, and none next door", async (t) => {
  const [own, other] = [await freshNamespace(t, cluster), await freshNamespace(t, cluster)];
  const kubeconfig = await asTenant(cluster, "alice", own);
  await cluster.kubectl(["-n", own, "create", "configmap", "mine"], { kubeconfig });
  await rejects(
    cluster.kubectl(["-n", other, "create", "configmap", "mine"], { kubeconfig }),
    /User "alice" cannot create/,
  );
  await rejects(cluster.kubectl(["get", "persistentvolumes"], { kubeconfig }), /forbidden/);
  const groups = ["auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}"];
  equal(await cluster.kubectl(groups, { kubeconfig }), '["system:authenticated"]', "and is in no group by accident");
});

test("a ServiceAccount's kubeconfig carries exactly what is bound to it", async (t) => {
  const namespace = await freshNamespace(t, cluster);
  await cluster.kubectl(["-n", namespace, "create", "serviceaccount", "worker"]);
  const kubeconfig = await cluster.serviceAccount(namespace, "worker");
  await rejects(cluster.kubectl(["get", "secrets"], { kubeconfig }), /system:serviceaccount:t-\w+:worker" cannot list/);
  await cluster.kubectl([
    "-n",
    namespace,
    "create",
    "rolebinding",
    "w",
    "--clusterrole=view",
    `--serviceaccount=${namespace}:worker`,
  ]);
  await cluster.kubectl(["get", "configmaps"], { kubeconfig });
  await rejects(cluster.kubectl(["get", "secrets"], { kubeconfig }), /cannot list/, "view does not see Secrets");
});

test("a ServiceAccount that is not there is named", async () => {
  await rejects(cluster.serviceAccount("default", "nobody"), /serviceaccounts "nobody" not found/);
});

test("the add-ons run with the roles upstream ships, not as admin", async () => {
  const rules = await cluster.kubectl(["get", "clusterrole", "external-provisioner-runner", "-o", "jsonpath={.rules}"]);
  const claims = (JSON.parse(rules) as { resources: string[]; verbs: string[] }[]).find((r) =>
    r.resources.includes("persistentvolumeclaims"),
  );
  deepEqual(claims?.verbs, ["get", "list", "watch", "update"]);
});

test("the audit log tells who did what", async (t) => {
  const namespace = await freshNamespace(t, cluster);
  const kubeconfig = await asTenant(cluster, "bob", namespace);
  await cluster.kubectl(["-n", namespace, "create", "configmap", "audited"], { kubeconfig });
  const log = await readFile(join(cluster.directory, "logs", "audit.log"), "utf8");
  const line =
    log.split("\n").find((l) => l.includes(`"namespace":"${namespace}","name":"audited"`)) ??
    "the act is not in the log";
  match(line, /"verb":"create","user":{"username":"bob"/);
});
