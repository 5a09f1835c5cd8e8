import { deepEqual, equal, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { namespaces, persistentVolumeClaims, persistentVolumes, resourceQuotas } from "../../src/api/gen/core.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { handOverCondition, holdFinalizer } from "../../src/api/transfer/names.ts";
import { type Act, actsOf } from "../fixture/audit.ts";
import { claimThatIs, newClaim, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, newNamespace, randomWord } from "../fixture/client.ts";
import { aPolicy } from "../fixture/handshake.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";

/*
 * What the account may do, beside what its process has done since the lane's cluster was made: in all tests that come
 * before this file by name, and in the stories below, which alone use every right.
 */
const account = "portway-transfer";
const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());
const controller = await transferController({ after }, cluster);

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const right = (verb: string, group: string, resource: string) =>
  `${verb} ${group === "" ? "" : `${group}/`}${resource}`;

async function granted(...role: readonly string[]): Promise<readonly string[]> {
  const rules = JSON.parse(await cluster.kubectl(["get", ...role, "-o", "jsonpath={.rules}"])) as readonly Rule[];
  return rules.flatMap(({ apiGroups: [group = ""], resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => right(verb, group, resource))),
  );
}

/** Servers from 1.34 on send the first list as a part of the watch; to older ones the same cache sends both. */
function used(acts: readonly Act[]): ReadonlySet<string> {
  const seen = acts.filter(({ isForbidden }) => !isForbidden);
  return new Set(
    seen.flatMap(({ verb, group, resource }) => {
      const verbs = verb === "watch" ? ["watch", "list"] : [verb];
      return verbs.map((one) => right(one, group, resource));
    }),
  );
}

test("the account uses every right it has, is refused nothing, and sees no Secret", async (t) => {
  await controller.start();
  await refusedWithdrawnAndDone(t);
  await approvedBeforehand(t);
  await orphaned(t);
  await givenToNobody(t);
  await controller.stopped();
  const acts = await actsOf(cluster, account);
  ok(acts.length > 0);
  deepEqual([...new Set(acts.map(({ user }) => user))], [`system:serviceaccount:portway-system:${account}`]);
  deepEqual(
    acts.filter(({ isForbidden }) => isForbidden),
    [],
    "it has tried what it may not do",
  );
  equal(
    acts.find(({ resource }) => resource.startsWith("secrets")),
    undefined,
  );
  const grants = [
    ...(await granted("clusterrole", account)),
    ...(await granted("-n", "portway-system", "role", account)),
  ];
  const uses = used(acts);
  deepEqual(
    grants.filter((one) => !uses.has(one)),
    [],
    "granted, and never used",
  );
});

/** Refused by a quota, withdrawn, approved again, complete, and removed when its time is over. */
async function refusedWithdrawnAndDone(t: TestContext): Promise<void> {
  const to = { namespace: await newNamespace(t, admin), name: "bar" };
  const from = await boundIn(t, await newNamespace(t, admin));
  const quota = { namespace: to.namespace, name: "none" };
  const hard = { persistentvolumeclaims: "0" };
  const { uid } = (await admin.create(resourceQuotas, { metadata: quota, spec: { hard } })).metadata;
  await until("the quota is in force", async () => (await admin.get(resourceQuotas, quota)).status?.hard !== undefined);

  const transfer = transferOf(from, to);
  await ask(admin, transfer, { ttlSecondsAfterFinished: 1 });
  await approve(admin, transfer);
  await untilTold(admin, transfer, "TargetRefused");
  const approval = { namespace: from.namespace, name: transfer.approval };
  const { metadata } = await admin.get(storageTransferApprovals, approval);
  await admin.delete(storageTransferApprovals, metadata);
  await untilTold(admin, transfer, "AwaitingApproval");
  await admin.delete(resourceQuotas, { ...quota, uid });
  await approve(admin, transfer);
  const request = { namespace: to.namespace, name: transfer.request };
  await until("the request is gone", async () => (await admin.find(storageTransferRequests, request)) === undefined);
  await claimThatIs("Bound", admin, to);
}

/** By a policy, without anybody being asked. */
async function approvedBeforehand(t: TestContext): Promise<void> {
  const to = { namespace: await newNamespace(t, admin), name: "bar" };
  const from = await boundIn(t, await newNamespace(t, admin));
  const policy = aPolicy(from.namespace, { targets: { namespaces: [to.namespace] } });
  await admin.create(storageTransferPolicies, policy);
  const transfer = transferOf(from, to);
  await ask(admin, transfer);
  await untilComplete(admin, transfer);
}

/** Both namespaces go while the source is on its way out. */
async function orphaned(t: TestContext): Promise<void> {
  const [giving, getting] = [`t-${randomWord()}`, `t-${randomWord()}`];
  for (const name of [giving, getting]) await admin.create(namespaces, { metadata: { name } });
  const from = await boundIn(t, giving, ["example.com/wait"]);
  const transfer = transferOf(from, { namespace: getting, name: "bar" });
  await ask(admin, transfer);
  await approve(admin, transfer);
  await until("the source is being given up", async () => {
    return (await admin.get(persistentVolumeClaims, from)).metadata.deletionTimestamp !== undefined;
  });
  for (const name of [getting, giving])
    await admin.delete(namespaces, (await admin.get(namespaces, { name })).metadata);
  await until(
    "the target's namespace is gone",
    async () => (await admin.find(namespaces, { name: getting })) === undefined,
  );
  const { spec } = await admin.merge(persistentVolumeClaims, from, { metadata: { finalizers: null } });
  await until("the volume is orphaned", async () => {
    const reading = journalOn(await admin.get(persistentVolumes, { name: spec?.volumeName ?? "" }));
    return reading.is === "journal" && reading.journal.outcome === "orphaned";
  });
}

/** What is in the way of a give is told on the claim, which is let go when its owner thinks better of it. */
async function givenToNobody(t: TestContext): Promise<void> {
  const from = await boundIn(t, await newNamespace(t, admin));
  const annotated = (transferRequest: string | null) =>
    admin.merge(persistentVolumeClaims, from, { metadata: { annotations: { transferRequest } } });
  const claim = () => admin.get(persistentVolumeClaims, from);
  await annotated("no-such-namespace/bar");
  await until("it is told", async () => {
    const { conditions = [] } = (await claim()).status ?? {};
    return conditions.some(({ type }) => type === handOverCondition);
  });
  await annotated(null);
  await until("it is let go", async () => (await claim()).metadata.finalizers?.includes(holdFinalizer) !== true);
}

/** A bound claim with the name of one that a StatefulSet makes. */
async function boundIn(t: TestContext, namespace: string, finalizers: readonly string[] = []) {
  const place = { namespace, className: `manual-${randomWord()}` };
  const volume = await newVolume(t, admin, place, { policy: "Delete" });
  await volumeThatIs("Available", admin, volume.metadata);
  const claim = { namespace, name: "data-web-0" };
  await newClaim(admin, place, { volumeName: volume.metadata.name }, { name: claim.name, finalizers });
  await claimThatIs("Bound", admin, claim);
  return claim;
}
