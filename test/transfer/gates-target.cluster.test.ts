import { deepEqual, equal } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { limitRanges, persistentVolumeClaims, resourceQuotas } from "../../src/api/gen/core.ts";
import { newClaim, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, statusOf, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { boundPair, type Pair, transferGround } from "./ground.ts";
import { areWaitedFor, obstaclesOn, type Undo } from "./obstacles.ts";

/* What keeps the target from being made, and who else wants it. */
const { cluster, admin } = await transferGround();
const { made } = obstaclesOn(admin);

/** A policy of the cluster's administrators, of which Portway knows nothing. */
async function aPolicy(t: TestContext, { transfer: { to }, place }: Pair): Promise<Undo> {
  const name = `no-claims-${randomWord()}`;
  const about = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name } };
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["persistentvolumeclaims"] },
  ];
  const validations = [{ expression: "false", message: "this team brings its own storage" }];
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": to.namespace } };
  const policy = {
    ...about,
    kind: "ValidatingAdmissionPolicy",
    spec: { matchConstraints: { resourceRules }, validations },
  };
  const binding = {
    ...about,
    kind: "ValidatingAdmissionPolicyBinding",
    spec: { policyName: name, validationActions: ["Deny"], matchResources: { namespaceSelector } },
  };
  const undo = () =>
    cluster.kubectl([
      "delete",
      "validatingadmissionpolicybinding,validatingadmissionpolicy",
      name,
      "--ignore-not-found",
    ]);
  t.after(undo);
  await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items: [policy, binding] }));
  await until("the policy is in force", async () => {
    const probe = { metadata: { namespace: to.namespace, name: "probe" }, spec: claimSpecOf(place.className) };
    const refused = await admin.create(persistentVolumeClaims, probe, { dryRun: true }).catch(() => "refused" as const);
    return refused === "refused";
  });
  return undo;
}

function claimSpecOf(storageClassName: string) {
  return { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } }, storageClassName };
}

areWaitedFor(admin, [
  {
    says: "a quota without room",
    reason: "TargetRefused",
    names: /exceeded quota: none/,
    isLocked: true,
    put: ({ transfer }) =>
      made(resourceQuotas, {
        metadata: { namespace: transfer.to.namespace, name: "none" },
        spec: { hard: { "count/persistentvolumeclaims": "0" } },
      }),
  },
  {
    says: "a limit on the size of claims",
    reason: "TargetRefused",
    names: /minimum storage usage per PersistentVolumeClaim is 5Gi/,
    isLocked: true,
    put: ({ transfer }) =>
      made(limitRanges, {
        metadata: { namespace: transfer.to.namespace, name: "large" },
        spec: { limits: [{ type: "PersistentVolumeClaim", min: { storage: "5Gi" } }] },
      }),
  },
  {
    says: "an admission policy of the cluster",
    reason: "TargetRefused",
    names: /this team brings its own storage/,
    isLocked: true,
    put: (pair, t) => aPolicy(t, pair),
  },
  {
    says: "another claim under the target's name",
    reason: "TargetTaken",
    names: /\/bar exists already/,
    async put({ transfer: { to } }) {
      const claim = await newClaim(admin, { ...to, className: "none-such" }, {}, { name: to.name });
      return () => admin.delete(persistentVolumeClaims, keyOf(claim));
    },
  },
]);

test("of two requests for one source, both approved, one gets it and the other is told", async (t) => {
  const pair = await boundPair(t, admin);
  const rival = transferOf(pair.transfer.from, { ...pair.transfer.to, name: "rival" });
  for (const transfer of [pair.transfer, rival]) await approve(admin, transfer);
  await Promise.all([ask(admin, pair.transfer), ask(admin, rival)]);
  const areComplete = async () =>
    (await Promise.all([pair.transfer, rival].map((one) => statusOf(admin, one)))).map(
      ({ complete }) => complete === true,
    );
  await until("one is complete", async () => (await areComplete()).includes(true));
  const [loser] = (await areComplete())[0] === true ? [rival] : [pair.transfer];
  await untilTold(admin, loser, "SourceNotFound");
  equal(await admin.find(persistentVolumeClaims, loser.to), undefined);
  equal((await volumeThatIs("Bound", admin, pair.volume.metadata)).spec?.persistentVolumeReclaimPolicy, "Delete");
});

test("a claim gets another name in a namespace that has room for one only", async (t) => {
  const { transfer, volume } = await boundPair(t, admin);
  const { namespace } = transfer.from;
  const rename = transferOf(transfer.from, { namespace, name: "renamed" });
  const quota = { metadata: { namespace, name: "one" }, spec: { hard: { "count/persistentvolumeclaims": "1" } } };
  await admin.create(resourceQuotas, quota);
  await until("the quota counts", async () => {
    const { status } = await admin.get(resourceQuotas, { namespace, name: "one" });
    return status?.used?.["count/persistentvolumeclaims"] === "1";
  });
  await approve(admin, rename);
  await ask(admin, rename);
  await untilComplete(admin, rename);
  const { spec } = await volumeThatIs("Bound", admin, volume.metadata);
  deepEqual([spec?.claimRef?.name, spec?.persistentVolumeReclaimPolicy], ["renamed", "Delete"]);
});
