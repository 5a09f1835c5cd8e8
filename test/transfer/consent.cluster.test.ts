import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import { newClaim } from "../fixture/binding.ts";
import { adminClient, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { anApproval, aPolicy, aRequest } from "../fixture/handshake.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { isAllowed, tenantWith, untilAllowed } from "../fixture/tenant.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

const mine = { source: { name: "mine", kind: "PersistentVolumeClaim" } };
const theirs = { source: { name: "theirs", kind: "PersistentVolumeClaim" } };

test("whoever administers a namespace requests, approves, labels and withdraws in it, and nowhere else", async (t) => {
  const [own, other] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  const alice = await tenantWith(t, cluster, "alice", own, "admin");
  const request = await alice.create(storageTransferRequests, aRequest(own));
  const approval = await alice.create(storageTransferApprovals, anApproval(own));
  const policy = await alice.create(storageTransferPolicies, aPolicy(own));
  await alice.merge(storageTransferPolicies, keyOf(policy), { spec: { count: 2 } });
  await alice.delete(storageTransferPolicies, keyOf(policy));
  await alice.merge(storageTransferRequests, keyOf(request), { metadata: { labels: { team: "a" } } });
  await alice.delete(storageTransferRequests, keyOf(request));
  await alice.delete(storageTransferApprovals, keyOf(approval));
  const refusals = await Promise.all([
    refusalOf(alice.create(storageTransferRequests, aRequest(other))),
    refusalOf(alice.create(storageTransferApprovals, anApproval(other))),
    refusalOf(alice.create(storageTransferPolicies, aPolicy(other))),
  ]);
  for (const { message } of refusals) match(message, /User "alice" cannot create resource/);
});

test("whoever only edits a namespace sees all and writes nothing", async (t) => {
  const namespace = await newNamespace(t, admin);
  const approval = await admin.create(storageTransferApprovals, anApproval(namespace));
  const policy = await admin.create(storageTransferPolicies, aPolicy(namespace));
  const bob = await tenantWith(t, cluster, "bob", namespace, "edit");
  await newClaim(bob, { namespace, className: "none-such" });
  await bob.get(storageTransferApprovals, keyOf(approval));
  await bob.get(storageTransferPolicies, keyOf(policy));
  const refusals = await Promise.all([
    refusalOf(bob.create(storageTransferRequests, aRequest(namespace))),
    refusalOf(bob.create(storageTransferApprovals, anApproval(namespace))),
    refusalOf(bob.merge(storageTransferApprovals, keyOf(approval), { metadata: { labels: { team: "b" } } })),
    refusalOf(bob.delete(storageTransferApprovals, keyOf(approval))),
    refusalOf(bob.create(storageTransferPolicies, aPolicy(namespace))),
    refusalOf(bob.merge(storageTransferPolicies, keyOf(policy), { spec: { count: 9 } })),
    refusalOf(bob.delete(storageTransferPolicies, keyOf(policy))),
  ]);
  for (const { message } of refusals) match(message, /User "bob" cannot/);
  const verbs = ["give", "accept"].map((verb) => ({ namespace, verb, resource: "persistentvolumeclaims" }));
  deepEqual(await Promise.all(verbs.map((right) => isAllowed(bob, right))), [false, false]);
});

test("whoever only views a namespace sees both", async (t) => {
  const namespace = await newNamespace(t, admin);
  const request = await admin.create(storageTransferRequests, aRequest(namespace));
  const bob = await tenantWith(t, cluster, "bob", namespace, "view");
  equal((await bob.get(storageTransferRequests, keyOf(request))).metadata.uid, request.metadata.uid);
  equal((await refusalOf(bob.create(storageTransferRequests, aRequest(namespace)))).reason, "Forbidden");
});

test("nobody but Portway writes a status, not even whoever administers the namespace", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const approval = await alice.create(storageTransferApprovals, {
    ...anApproval(namespace),
    status: { consumed: true },
  });
  equal(approval.status, undefined, "at CREATE it is dropped");
  await alice.merge(storageTransferApprovals, keyOf(approval), { status: { consumed: true } });
  equal((await alice.get(storageTransferApprovals, keyOf(approval))).status, undefined);
  const change = { status: { consumed: true } };
  const forged = alice.merge(storageTransferApprovals, keyOf(approval), change, { subresource: "status" });
  equal((await refusalOf(forged)).reason, "Forbidden");
});

test("an approver gives only the claims that they may delete, name by name", async (t) => {
  const namespace = await newNamespace(t, admin);
  const right = ["--verb=delete", "--resource=persistentvolumeclaims", "--resource-name=mine"];
  await cluster.kubectl(["-n", namespace, "create", "role", "delete-mine", ...right]);
  await cluster.kubectl([
    "-n",
    namespace,
    "create",
    "rolebinding",
    "delete-mine",
    "--role=delete-mine",
    "--user=mallory",
  ]);
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "portway-approver");
  await untilAllowed(mallory, { namespace, verb: "delete", resource: "persistentvolumeclaims", name: "mine" });
  await mallory.create(storageTransferApprovals, anApproval(namespace, mine));
  const refusal = await refusalOf(mallory.create(storageTransferApprovals, anApproval(namespace, theirs)));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-consent"]);
  const says = `mallory may not approve the transfer of theirs: that takes the right to delete the claim theirs in ${namespace}`;
  match(refusal.message, new RegExp(`denied request: ${says}$`));
});

test("an approver writes and changes a policy only where they may delete every claim", async (t) => {
  const namespace = await newNamespace(t, admin);
  const allow = async (name: string, ...right: readonly string[]) => {
    await cluster.kubectl(["-n", namespace, "create", "role", name, "--resource=persistentvolumeclaims", ...right]);
    await cluster.kubectl(["-n", namespace, "create", "rolebinding", name, `--role=${name}`, "--user=mallory"]);
  };
  const right = { namespace, verb: "delete", resource: "persistentvolumeclaims" };
  await allow("delete-mine", "--verb=delete", "--resource-name=mine");
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "portway-approver");
  await untilAllowed(mallory, { ...right, name: "mine" });
  await mallory.create(storageTransferApprovals, anApproval(namespace, mine));
  const given = await admin.create(storageTransferPolicies, aPolicy(namespace));
  const widened = { spec: { targets: { namespaces: ["mallory-at-home"] } } };
  const says = `mallory may not approve transfers out of ${namespace} beforehand: that takes the right to delete every claim in ${namespace}`;
  const refusals = await Promise.all([
    refusalOf(mallory.create(storageTransferPolicies, aPolicy(namespace))),
    refusalOf(mallory.merge(storageTransferPolicies, keyOf(given), widened)),
    refusalOf(mallory.merge(storageTransferPolicies, keyOf(given), { spec: { count: 7 } })),
  ]);
  for (const refusal of refusals) {
    deepEqual([refusal.code, refusal.deniedBy], [403, "portway-consent-policy"]);
    match(refusal.message, new RegExp(`denied request: ${says}$`));
  }
  await mallory.merge(storageTransferPolicies, keyOf(given), { metadata: { labels: { team: "m" } } });
  await mallory.delete(storageTransferPolicies, keyOf(given));
  await allow("delete-all", "--verb=delete");
  await untilAllowed(mallory, right);
  const policy = await mallory.create(storageTransferPolicies, aPolicy(namespace));
  await mallory.merge(storageTransferPolicies, keyOf(policy), widened);
});

test("a requester asks only where they may create claims", async (t) => {
  const [own, other] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  await (await tenantWith(t, cluster, "mallory", own, "admin")).create(storageTransferRequests, aRequest(own));
  const mallory = await tenantWith(t, cluster, "mallory", other, "portway-requester");
  const refusal = await refusalOf(mallory.create(storageTransferRequests, aRequest(other)));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-consent"]);
  const says = `mallory may not request a transfer to ${other}: that takes the right to create claims in ${other}`;
  match(refusal.message, new RegExp(`denied request: ${says}$`));
  const right = ["--verb=create", "--resource=persistentvolumeclaims"];
  await cluster.kubectl(["-n", other, "create", "role", "create-claims", ...right]);
  await cluster.kubectl(["-n", other, "create", "rolebinding", "c", "--role=create-claims", "--user=mallory"]);
  await untilAllowed(mallory, { namespace: other, verb: "create", resource: "persistentvolumeclaims" });
  await mallory.create(storageTransferRequests, aRequest(other));
});

test("nobody asks for a claim to become itself, but a claim may get another name", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const source = { ...mine.source, namespace };
  await alice.create(storageTransferRequests, aRequest(namespace, { source, targetName: "renamed" }));
  await alice.create(storageTransferRequests, aRequest(namespace, { targetName: "foo" }));
  const refusal = await refusalOf(
    alice.create(storageTransferRequests, aRequest(namespace, { source, targetName: "mine" })),
  );
  deepEqual([refusal.code, refusal.deniedBy, refusal.trouble], [422, "portway-consent", "refused"]);
  match(refusal.message, /The source and the target are the same claim\. Choose another targetName\./);
});

test("the audit log says who asked and who approved", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  await alice.create(storageTransferRequests, aRequest(namespace));
  await alice.create(storageTransferApprovals, anApproval(namespace));
  const policy = { ...aPolicy(namespace, { count: 5 }), metadata: { namespace, name: "for-b" } };
  await alice.create(storageTransferPolicies, policy);
  const expected = [
    `"portway-consent/requested":"alice asks for the claim source-namespace/foo as ${namespace}/bar"`,
    `"portway-consent/approved":"alice lets target-namespace/transfer-foo have the claim ${namespace}/foo"`,
    `"portway-consent-policy/approved":"alice lets target-namespace have up to 5 claims of ${namespace} by the policy for-b"`,
  ];
  await until("all are in the log", async () => {
    const log = await readFile(join(cluster.directory, "logs", "audit.log"), "utf8");
    return expected.every((words) => log.includes(words));
  });
});

test("the server finds no fault with the expressions of our policies", async () => {
  for (const name of ["portway-consent", "portway-consent-policy", "portway-consent-claims", "portway-own-marks"]) {
    const read = (path: string) =>
      cluster.kubectl(["get", "validatingadmissionpolicy", name, "-o", `jsonpath={${path}}`]);
    const generation = await read(".metadata.generation");
    await until(`${name} was checked`, async () => (await read(".status.observedGeneration")) === generation);
    equal(await read(".status.typeChecking.expressionWarnings"), "", name);
  }
});

test("a namespace with requests and approvals can go", async (t) => {
  const namespace = await newNamespace(t, admin);
  const approval = await admin.create(storageTransferApprovals, anApproval(namespace));
  const claim = await newClaim(admin, { namespace, className: "none-such" });
  await cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await until("they are gone", async () => {
    const left = [
      await admin.find(storageTransferApprovals, keyOf(approval)),
      await admin.find(persistentVolumeClaims, keyOf(claim)),
    ];
    return left.every((one) => one === undefined);
  });
});
