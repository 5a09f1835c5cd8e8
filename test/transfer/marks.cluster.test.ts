import { deepEqual, equal, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { adminClient, clientOf, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { bindRole, laneCluster } from "../fixture/lane.ts";
import { allowEverywhere, tenantWith, untilAllowed } from "../fixture/tenant.ts";
import { aClaim, annotation, aVolume, type Mark, marks } from "./marks.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

/** Two objects of one kind: one without the mark, and one that was made with it. */
interface Pair<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly bare: Stored<T>;
  readonly marked: Stored<T>;
}

async function refusesForgery<T extends KubeObject>(mark: Mark, as: Client, pair: Pair<T>): Promise<void> {
  const { resource, bare, marked } = pair;
  const change = (object: Stored<T>, metadata: object) => as.merge(resource, keyOf(object), { metadata });
  for (const object of [bare, marked]) await change(object, { labels: { team: "a" } });
  const isAnnotation = mark.on("").annotations !== undefined;
  const attempts = [
    { object: bare, metadata: mark.on("forged") },
    { object: marked, metadata: mark.off },
    ...(isAnnotation ? [{ object: marked, metadata: mark.on("forged") }] : []),
  ];
  for (const { object, metadata } of attempts) {
    const refusal = await refusalOf(change(object, metadata));
    deepEqual([refusal.code, refusal.deniedBy], [403, "portway-own-marks"]);
    match(refusal.message, new RegExp(`may not change ${mark.name} of ${object.metadata.name}: it belongs to Portway`));
  }
}

async function letsPass<T extends KubeObject>(mark: Mark, as: Client, { resource, bare, marked }: Pair<T>) {
  await as.merge(resource, keyOf(bare), { metadata: mark.on("by right") });
  await as.merge(resource, keyOf(marked), { metadata: mark.on("by right") });
  await as.merge(resource, keyOf(marked), { metadata: mark.off });
}

async function claimsOf(t: TestContext, as: Client, namespace: string, mark: Mark) {
  const maker = { t, as, admin };
  const [bare, marked] = [await aClaim(maker, namespace), await aClaim(maker, namespace, mark.on("restored"))];
  return { resource: persistentVolumeClaims, bare, marked };
}

async function volumesOf(t: TestContext, as: Client, mark: Mark) {
  const maker = { t, as, admin };
  return { resource: persistentVolumes, bare: await aVolume(maker), marked: await aVolume(maker, mark.on("restored")) };
}

/** As an operator of storage who is no cluster admin. */
async function writerOfVolumes(t: TestContext, user: string): Promise<Client> {
  const verbs = ["create", "get", "update", "patch"];
  return await allowEverywhere(t, cluster, { user, resource: "persistentvolumes", verbs });
}

test("a tenant restores claims with our marks, and can neither put one on nor change or remove one", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  for (const mark of marks) await refusesForgery(mark, alice, await claimsOf(t, alice, namespace, mark));
});

test("whoever writes volumes restores them with our marks, and can do no more to the marks", async (t) => {
  const mallory = await writerOfVolumes(t, "mallory");
  for (const mark of marks) await refusesForgery(mark, mallory, await volumesOf(t, mallory, mark));
});

test("Portway's account puts its marks on and takes them off", async (t) => {
  const namespace = await newNamespace(t, admin);
  for (const mark of marks) {
    await letsPass(mark, portway, await claimsOf(t, admin, namespace, mark));
    await letsPass(mark, portway, await volumesOf(t, admin, mark));
  }
});

test("whoever may repair volumes changes the marks of volumes and claims by hand", async (t) => {
  const namespace = await newNamespace(t, admin);
  const bob = await tenantWith(t, cluster, "bob", namespace, "admin");
  await writerOfVolumes(t, "bob");
  const [first] = marks;
  if (first === undefined) throw new Error("there are no marks");
  await refusesForgery(first, bob, await claimsOf(t, bob, namespace, first));
  await allowEverywhere(t, cluster, { user: "bob", resource: "persistentvolumes", verbs: ["repair"] });
  for (const mark of marks) {
    await letsPass(mark, bob, await claimsOf(t, bob, namespace, mark));
    await letsPass(mark, bob, await volumesOf(t, bob, mark));
  }
});

test("the right to repair counts for the whole cluster only: a tenant cannot be given it in a namespace", async (t) => {
  const namespace = await newNamespace(t, admin);
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "admin");
  await bindRole(cluster, "mallory", namespace, "portway-repairer");
  await untilAllowed(mallory, { namespace, verb: "repair", resource: "persistentvolumes" });
  const [mark] = marks;
  if (mark === undefined) throw new Error("there are no marks");
  await refusesForgery(mark, mallory, await claimsOf(t, mallory, namespace, mark));
});

test("the mark of the data's arrival is not ours to keep: a sidecar of any driver writes it", async (t) => {
  const mallory = await writerOfVolumes(t, "mallory");
  const mark = annotation("portway.dev/data-populated");
  await letsPass(mark, mallory, await volumesOf(t, mallory, mark));
});

test("there is no way around it through the status", async (t) => {
  const namespace = await newNamespace(t, admin);
  const resource = "persistentvolumeclaims/status";
  const mallory = await allowEverywhere(t, cluster, { user: "mallory", resource, verbs: ["patch"] });
  const claim = await aClaim({ t, as: admin, admin }, namespace);
  const throughStatus = (name: string) => {
    const change = { metadata: { annotations: { [name]: "forged" } } };
    return mallory.merge(persistentVolumeClaims, keyOf(claim), change, { subresource: "status" });
  };
  equal((await throughStatus("example.dev/note")).metadata.annotations?.["example.dev/note"], "forged");
  equal((await refusalOf(throughStatus("transfer.portway.dev/id"))).deniedBy, "portway-own-marks");
});
