import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { adminClient, clientOf, newNamespace } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { isAllowed, tenantWith } from "../fixture/tenant.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

async function rulesOf(...role: readonly string[]): Promise<readonly string[]> {
  const rules = JSON.parse(await cluster.kubectl(["get", ...role, "-o", "jsonpath={.rules}"])) as readonly Rule[];
  return rules
    .flatMap(({ resources, resourceNames = [], verbs }) =>
      resources.map((resource) => [resource, ...resourceNames, verbs.join(" ")].join(": ")),
    )
    .sort();
}

test("the account that moves volumes may do this and nothing else", async () => {
  deepEqual(await rulesOf("clusterrole", "portway-transfer"), [
    "events: create patch",
    "namespaces: get list watch",
    "persistentvolumeclaims/status: patch",
    "persistentvolumeclaims: get list watch create patch delete",
    "persistentvolumes: get list watch patch",
    "pods: list watch",
    "statefulsets: list",
    "storageclasses: list watch",
    "storagetransferapprovals/status: patch",
    "storagetransferapprovals: get list watch",
    "storagetransferpolicies/status: patch",
    "storagetransferpolicies: get list watch",
    "storagetransferrequests/status: patch",
    "storagetransferrequests: get list watch delete",
    "volumeattachments: list watch",
  ]);
  deepEqual(await rulesOf("-n", "portway-system", "role", "portway-transfer"), [
    "leases: create",
    "leases: portway-transfer: get update",
  ]);
});

const rights: readonly (readonly [isAllowed: boolean, verb: string, resource: string, namespace?: string])[] = [
  [true, "patch", "persistentvolumes"],
  [true, "delete", "persistentvolumeclaims"],
  [true, "create", "events"],
  [false, "delete", "persistentvolumes"],
  [false, "create", "persistentvolumes"],
  [false, "deletecollection", "persistentvolumeclaims"],
  [false, "repair", "persistentvolumes"],
  [false, "get", "secrets"],
  [false, "list", "secrets"],
  [false, "get", "secrets", "portway-system"],
  [false, "create", "pods"],
  [false, "impersonate", "users"],
  [false, "create", "serviceaccounts/token", "portway-system"],
];

for (const [may, verb, resource, namespace] of rights) {
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  test(`the account ${may ? "may" : "may not"} ${verb} ${resource}${where}`, async () => {
    const [kind = "", subresource = ""] = resource.split("/");
    equal(await isAllowed(portway, { verb, resource: kind, subresource, namespace: namespace ?? "" }), may);
  });
}

test("the account holds only its own Lease", async () => {
  const lease = (verb: string, name: string, namespace: string) =>
    isAllowed(portway, { group: "coordination.k8s.io", resource: "leases", verb, name, namespace });
  equal(await lease("update", "portway-transfer", "portway-system"), true);
  equal(await lease("update", "portway-buckets", "portway-system"), false);
  equal(await lease("update", "portway-transfer", "kube-system"), false);
});

test("the verbs give and accept come with admin, and repair with no role of a namespace", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const may = (verb: string, resource: string) => isAllowed(alice, { verb, resource, namespace });
  equal(await may("give", "persistentvolumeclaims"), true);
  equal(await may("accept", "persistentvolumeclaims"), true);
  equal(await may("repair", "persistentvolumes"), false);
  equal(await may("repair", "persistentvolumeclaims"), false);
});
