import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import { adminClient, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { anApproval, aPolicy, aRequest } from "../fixture/handshake.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

/** People write anything. */
interface Written extends KubeObject {
  readonly spec: object;
}

const kinds = {
  request: { resource: storageTransferRequests as Resource<Written>, make: aRequest },
  approval: { resource: storageTransferApprovals as Resource<Written>, make: anApproval },
  policy: { resource: storageTransferPolicies as Resource<Written>, make: aPolicy },
} as const;

const claim = "PersistentVolumeClaim";
const elsewhere = { name: "foo", namespace: "source-namespace", kind: claim };
const here = { name: "foo", kind: claim };
const long = "a".repeat(253);
const uid = randomUUID();

type Case = readonly [says: string, kind: keyof typeof kinds, spec: object];

const fine: readonly Case[] = [
  ["a request as the seed prints it", "request", {}],
  ["a request with every option", "request", { options: { whenUnbound: "Move", whenInUse: "Fail" } }],
  [
    "a request with the other options",
    "request",
    { options: { allowSourceSecrets: true, ttlSecondsAfterFinished: 0 } },
  ],
  ["a request with no option", "request", { options: {} }],
  ["a request that pins the claim", "request", { source: { ...elsewhere, uid } }],
  ["a request that writes out the version", "request", { source: { ...elsewhere, apiVersion: "v1" } }],
  ["a request with the longest names", "request", { approvalName: long, targetName: long }],
  ["a request with dots in names", "request", { source: { ...elsewhere, name: "www.data-0" } }],
  ["an approval as the seed prints it", "approval", {}],
  ["an approval that pins the claim", "approval", { source: { ...here, uid } }],
  ["an approval that writes out the group", "approval", { source: { ...here, apiGroup: "" } }],
  ["a policy for a namespace", "policy", {}],
  [
    "a policy with everything",
    "policy",
    {
      targets: { namespaces: ["a", "b"], namespaceSelector: { matchLabels: { "example.com/team": "b" } } },
      claims: {
        selector: { matchExpressions: [{ key: "tier", operator: "In", values: ["gold", "silver"] }] },
        storageClassNames: ["fast"],
      },
      maxSize: "10Gi",
      count: 1000,
      until: "2030-01-01T00:00:00Z",
    },
  ],
  ["a policy for every namespace", "policy", { targets: { namespaceSelector: {} } }],
  ["an approval with the longest namespace", "approval", { targetNamespace: "n".repeat(63) }],
];

for (const [says, kind, spec] of fine) {
  test(`${says} is stored as it was written`, async (t) => {
    const { resource, make } = kinds[kind];
    const wish = make(await newNamespace(t, admin), spec);
    deepEqual((await admin.create(resource, wish)).spec, wish.spec);
  });
}

const noObject = /: This is no name of an object\. Use lower-case letters, digits, dashes and dots, and begin and end/;
const noNamespace = /: This is no name of a namespace\. Use lower-case letters, digits and dashes, and begin and end/;
const shared = /: A VolumeSnapshot is not transferred but shared\. Use a ReferenceGrant in its namespace, and name the/;
const onlyClaims = /: A Secret cannot be transferred\. The only kind is PersistentVolumeClaim\./;
const noUid = /: This is no uid\. Copy metadata\.uid of the claim, or leave it out\./;

const targets = (matchExpressions: object) => ({ targets: { namespaceSelector: { matchExpressions } } });

const wrong: readonly (readonly [...Case, answer: RegExp])[] = [
  ["a snapshot", "request", { source: { ...elsewhere, kind: "VolumeSnapshot" } }, shared],
  ["a snapshot", "approval", { source: { ...here, kind: "VolumeSnapshot" } }, shared],
  ["a Secret", "request", { source: { ...elsewhere, kind: "Secret" } }, onlyClaims],
  ["a Secret", "approval", { source: { ...here, kind: "Secret" } }, onlyClaims],
  [
    "a source with no kind",
    "request",
    { source: { name: "foo", namespace: "n" } },
    /spec\.source\.kind: Required value/,
  ],
  ["a source with no namespace", "request", { source: here }, /spec\.source\.namespace: Required value/],
  ["a source with an odd name", "request", { source: { ...elsewhere, name: "Foo" } }, noObject],
  ["a source with an odd name", "approval", { source: { ...here, name: "foo_1" } }, noObject],
  ["a source with an empty name", "request", { source: { ...elsewhere, name: "" } }, noObject],
  ["a source in an odd namespace", "request", { source: { ...elsewhere, namespace: "a.b" } }, noNamespace],
  [
    "a source of another version",
    "request",
    { source: { ...elsewhere, apiVersion: "v2" } },
    /of version v1\. Write v1, or/,
  ],
  [
    "a source of another group",
    "approval",
    { source: { ...here, apiGroup: "apps" } },
    /has no API group\. Write "", or/,
  ],
  ["half a uid", "request", { source: { ...elsewhere, uid: "1234" } }, noUid],
  ["half a uid", "approval", { source: { ...here, uid: "1234" } }, noUid],
  ["an odd approval", "request", { approvalName: "-" }, noObject],
  ["an odd target", "request", { targetName: "bar/" }, noObject],
  [
    "too long a target",
    "request",
    { targetName: `${long}a` },
    /spec\.targetName: Too long: may not be more than 253 bytes/,
  ],
  ["an odd target namespace", "approval", { targetNamespace: "Stage" }, noNamespace],
  ["too long a namespace", "approval", { targetNamespace: "n".repeat(64) }, /may not be more than 63 bytes/],
  ["an odd request", "approval", { requestName: "transfer foo" }, noObject],
  ["an unknown wish", "request", { options: { whenInUse: "Move" } }, /"Move": supported values: "Wait", "Fail"/],
  ["another unknown wish", "request", { options: { whenUnbound: "Fail" } }, /"Fail": supported values: "Wait", "Move"/],
  ["nobody", "policy", { targets: {} }, /: Say who may have the claims, with namespaces, with namespaceSelector, or/],
  ["an empty list of namespaces", "policy", { targets: { namespaces: [] } }, /should have at least 1 items/],
  ["an odd namespace", "policy", { targets: { namespaces: ["A"] } }, noNamespace],
  ["a namespace twice", "policy", { targets: { namespaces: ["a", "a"] } }, /Duplicate value: "a"/],
  ["no count", "policy", { count: undefined }, /spec\.count: Required value/],
  ["no use at all", "policy", { count: 0 }, /greater than or equal to 1/],
  ["too many uses", "policy", { count: 1001 }, /less than or equal to 1000/],
  ["no size", "policy", { maxSize: "much" }, /: This is no size\. Write a quantity such as 500Mi or 10Gi\./],
  ["a size of nothing", "policy", { maxSize: "0" }, /: This is no size\./],
  ["no date", "policy", { until: "soon" }, /spec\.until: Invalid value: "soon"/],
  ["an odd class", "policy", { claims: { storageClassNames: ["Fast"] } }, /: This is no name of a class\./],
  ["In without values", "policy", targets([{ key: "a", operator: "In" }]), /: In and NotIn take values; Exists and/],
  [
    "Exists with values",
    "policy",
    targets([{ key: "a", operator: "Exists", values: ["b"] }]),
    /: In and NotIn take values; Exists and/,
  ],
  ["an unknown operator", "policy", targets([{ key: "a", operator: "Like" }]), /supported values: "In", "NotIn"/],
  [
    "an odd label",
    "policy",
    { claims: { selector: { matchLabels: { "a b": "c" } } } },
    /: These are no labels\. Write a name such as team/,
  ],
  ["a negative time", "request", { options: { ttlSecondsAfterFinished: -1 } }, /greater than or equal to 0/],
];

for (const [says, kind, spec, answer] of wrong) {
  test(`${says} in a ${kind} is refused with a sentence`, async (t) => {
    const { resource, make } = kinds[kind];
    const refusal = await refusalOf(admin.create(resource, make(await newNamespace(t, admin), spec)));
    deepEqual([refusal.code, refusal.trouble], [422, "refused"]);
    match(refusal.message, answer);
  });
}

type Edit = readonly [says: string, kind: keyof typeof kinds, before: object, change: object];

const edits: readonly Edit[] = [
  ["another target", "request", {}, { targetName: "baz" }],
  ["another source", "request", {}, { source: { name: "other" } }],
  ["an option more", "request", {}, { options: { whenInUse: "Fail" } }],
  ["no option any more", "request", { options: { whenInUse: "Fail" } }, { options: null }],
  [
    "an option less",
    "request",
    { options: { whenInUse: "Fail", allowSourceSecrets: true } },
    { options: { whenInUse: null } },
  ],
  ["another option", "request", { options: { whenInUse: "Fail" } }, { options: { whenInUse: "Wait" } }],
  ["a uid that was not there", "request", {}, { source: { uid } }],
  ["a uid that was not there", "approval", {}, { source: { uid } }],
  ["no uid any more", "approval", { source: { ...here, uid } }, { source: { uid: null } }],
  ["another uid", "approval", { source: { ...here, uid } }, { source: { uid: randomUUID() } }],
  ["a group that was not there", "approval", {}, { source: { apiGroup: "" } }],
  ["another receiver", "approval", {}, { targetNamespace: "mallory" }],
  ["another request", "approval", {}, { requestName: "another" }],
];

for (const [says, kind, before, spec] of edits) {
  test(`${says} cannot be written into a ${kind} later; its labels can`, async (t) => {
    const { resource, make } = kinds[kind];
    const key = keyOf(await admin.create(resource, make(await newNamespace(t, admin), before)));
    await admin.merge(resource, key, { metadata: { labels: { team: "a" }, annotations: { why: "audit" } } });
    const refusal = await refusalOf(admin.merge(resource, key, { spec }));
    equal(refusal.code, 422);
    match(refusal.message, /The spec of an? \w+ never changes\. Delete the \w+ and write a new one\./);
  });
}

test("a field of ObjectReference that means nothing here is named by kubectl", async (t) => {
  const source = { ...elsewhere, fieldPath: "spec" };
  const wish = aRequest(await newNamespace(t, admin), { source });
  await rejects(
    cluster.kubectl(["create", "-f", "-"], { input: JSON.stringify(wish) }),
    /unknown field "spec\.source\.fieldPath"/,
  );
});

test("an approval that was used stays used, and says by whom", async (t) => {
  const { resource, make } = kinds.approval;
  const key = keyOf(await admin.create(resource, make(await newNamespace(t, admin))));
  const status = (status: object | null) => admin.merge(resource, key, { status }, { subresource: "status" });
  await status({ consumed: false });
  await status({ consumed: true, requestUID: "r", sourceUID: "s" });
  await status({ phase: "Complete", complete: true });
  const changes = [{ consumed: false }, { consumed: null }, { requestUID: "x" }, { sourceUID: null }, null];
  for (const change of changes)
    match((await refusalOf(status(change))).message, /An approval that was used stays used\. Write a new one/);
});

test("the server itself keeps a policy from being used more often than it says, and lets it be lowered", async (t) => {
  const policy = await admin.create(storageTransferPolicies, aPolicy(await newNamespace(t, admin), { count: 2 }));
  const use = (requestUID: string) => ({ request: "a/b", requestUID, source: "c", sourceUID: uid, at: "now" });
  const show = (...uids: readonly string[]) =>
    admin.merge(storageTransferPolicies, keyOf(policy), { status: { uses: uids.map(use) } }, { subresource: "status" });
  await show("a", "b");
  match((await refusalOf(show("a", "b", "c"))).message, /A policy is never used more often than its count says\./);
  await admin.merge(storageTransferPolicies, keyOf(policy), { spec: { count: 1 } });
  match((await refusalOf(show("a", "b", "c"))).message, /never used more often/);
  await show("b", "c");
  await show("c");
  match((await refusalOf(show("c", "d"))).message, /never used more often/);
});

test("a policy is shown with its uses, its end and whether it still approves", async (t) => {
  const until = "2030-01-01T00:00:00Z";
  const { metadata } = await admin.create(
    storageTransferPolicies,
    aPolicy(await newNamespace(t, admin), { count: 4, until }),
  );
  const conditions = [
    { type: "Active", status: "False", reason: "PolicyExhausted", message: "m", lastTransitionTime: until },
  ];
  await admin.merge(
    storageTransferPolicies,
    keyOf({ metadata }),
    { status: { used: 4, conditions } },
    { subresource: "status" },
  );
  const table = await cluster.kubectl(["-n", metadata.namespace ?? "", "get", "stp"]);
  match(table, /^NAME +USED +COUNT +UNTIL +ACTIVE +AGE\n\S+ +4 +4 +2030-01-01T00:00:00Z +False +\d/);
});
