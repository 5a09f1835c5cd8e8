import { deepEqual, equal, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { namespaces, persistentVolumeClaims, persistentVolumes, resourceQuotas } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import {
  type StorageTransferPolicySpec,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import type { Metadata } from "../../src/api/object.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import type { Client } from "../../src/kube/client.ts";
import { claimThatIs, newClaim, newVolume, type Place, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { aPolicy } from "../fixture/handshake.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { approve, ask, statusOf, type Transfer, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferGround } from "./ground.ts";

const { cluster, admin } = await transferGround();

interface Teams {
  readonly place: Place;
  readonly to: string;
  /** Administers the source's namespace. */
  readonly alice: Client;
  /** Administers the target's. */
  readonly bob: Client;
}

async function twoTeams(t: TestContext): Promise<Teams> {
  const place = { namespace: await newNamespace(t, admin), className: `manual-${randomWord()}` };
  const to = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", place.namespace, "admin");
  return { place, to, alice, bob: await tenantWith(t, cluster, "bob", to, "admin") };
}

async function boundClaim(t: TestContext, place: Place, metadata: Metadata = {}): Promise<string> {
  const volume = await newVolume(t, admin, place, { policy: "Delete" });
  await volumeThatIs("Available", admin, volume.metadata);
  const claim = await newClaim(admin, place, { volumeName: volume.metadata.name }, metadata);
  await claimThatIs("Bound", admin, keyOf(claim));
  return claim.metadata.name;
}

function wishFor({ place, to }: Teams, name: string): Transfer {
  return transferOf({ namespace: place.namespace, name }, { namespace: to, name: `got-${name}` });
}

async function approveBeforehand({ alice, place, to }: Teams, spec: Partial<StorageTransferPolicySpec> = {}) {
  const wish = aPolicy(place.namespace, { targets: { namespaces: [to] }, ...spec });
  return await alice.create(storageTransferPolicies, wish);
}

type Policy = Awaited<ReturnType<typeof approveBeforehand>>;

async function untilPolicySays(as: Client, policy: Policy, reason: string, used: number): Promise<void> {
  await until(`the policy says ${reason} and ${used}`, async () => {
    const { status } = await as.get(storageTransferPolicies, keyOf(policy));
    return status?.conditions?.[0]?.reason === reason && status.used === used && status.uses?.length === used;
  });
}

test("a claim that comes after the policy is handed over without anybody being asked, and is counted", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place, to } = teams;
  const policy = await approveBeforehand(teams, { count: 2 });
  await untilPolicySays(alice, policy, "PolicyActive", 0);
  const wish = wishFor(teams, await boundClaim(t, place));
  await ask(bob, wish);
  await untilComplete(bob, wish);
  const { spec } = await claimThatIs("Bound", bob, wish.to);
  const reading = journalOn(await admin.get(persistentVolumes, { name: spec?.volumeName ?? "" }));
  ok(reading.is === "journal");
  deepEqual([reading.journal.standing?.uid, reading.journal.approval], [policy.metadata.uid, undefined]);
  await untilPolicySays(alice, policy, "PolicyActive", 1);
  const [use] = (await alice.get(storageTransferPolicies, keyOf(policy))).status?.uses ?? [];
  deepEqual(
    [use?.request, use?.source, use?.sourceUID],
    [`${to}/${wish.request}`, wish.from.name, reading.journal.source.uid],
  );
});

test("of ten who ask at once for what is approved three times, exactly three get it", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const names = await Promise.all(Array.from({ length: 10 }, () => boundClaim(t, place)));
  const wishes = names.map((name) => wishFor(teams, name));
  const policy = await approveBeforehand(teams, { count: 3 });
  await Promise.all(wishes.map((wish) => ask(bob, wish)));
  const reasonsOf = async () => {
    const all = await Promise.all(wishes.map((wish) => statusOf(bob, wish)));
    return all.map(({ conditions }) => conditions?.[0]?.reason ?? "").sort();
  };
  const awaiting = (many: number) => Array.from({ length: many }, () => "AwaitingApproval");
  const settled = (many: number) => Array.from({ length: many }, () => "Settled");
  await until("all are told", async () => (await reasonsOf()).join() === [...awaiting(7), ...settled(3)].join());
  await untilPolicySays(alice, policy, "PolicyExhausted", 3);
  const left = await Promise.all(wishes.map(({ from }) => admin.find(persistentVolumeClaims, from)));
  equal(left.filter((one) => one === undefined).length, 3);
  await alice.merge(storageTransferPolicies, keyOf(policy), { spec: { count: 4 } });
  await until("one more is told", async () => (await reasonsOf()).join() === [...awaiting(6), ...settled(4)].join());
  await untilPolicySays(alice, policy, "PolicyExhausted", 4);
});

test("two who ask for the same claim cost one use", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const name = await boundClaim(t, place);
  const wishes = Array.from({ length: 4 }, (_, index) => {
    const { from, ...wish } = wishFor(teams, name);
    return { ...wish, from, to: { ...wish.to, name: `got-${index}` } };
  });
  const policy = await approveBeforehand(teams, { count: 4 });
  await Promise.all(wishes.map((wish) => ask(bob, wish)));
  await until("one is complete, and the others wait again", async () => {
    const all = await Promise.all(wishes.map((wish) => statusOf(bob, wish)));
    const isWaiting = all.filter(({ conditions }) => conditions?.[0]?.reason === "AwaitingApproval");
    return isWaiting.length === 3 && all.some(({ complete }) => complete === true);
  });
  await untilPolicySays(alice, policy, "PolicyActive", 1);
});

test("a policy covers what it says, and about anything else it says nothing", async (t) => {
  const teams = await twoTeams(t);
  const { bob, place, to } = teams;
  await admin.merge(namespaces, { name: to }, { metadata: { labels: { team: "b" } } });
  await approveBeforehand(teams, {
    targets: { namespaceSelector: { matchLabels: { team: "b" } } },
    claims: { selector: { matchLabels: { tier: "gold" } }, storageClassNames: [place.className] },
    maxSize: "1Gi",
  });
  const silver = wishFor(teams, await boundClaim(t, place, { labels: { tier: "silver" } }));
  const nowhere = wishFor(teams, "no-such-claim");
  for (const wish of [silver, nowhere]) await ask(bob, wish);
  for (const wish of [silver, nowhere]) await untilTold(bob, wish, "AwaitingApproval");
  const [real, none] = await Promise.all([silver, nowhere].map((wish) => statusOf(bob, wish)));
  deepEqual(real?.conditions?.[0]?.message, none?.conditions?.[0]?.message);
  // What was silver becomes gold: the request that waits is covered, and nobody has to ask again.
  await admin.merge(persistentVolumeClaims, silver.from, { metadata: { labels: { tier: "gold" } } });
  await untilComplete(bob, silver);
});

/** A place where no target can be made: what is asked for there stays under way. */
async function noRoom({ to }: Teams): Promise<() => Promise<void>> {
  const key = { namespace: to, name: "none" };
  const quota = await admin.create(resourceQuotas, { metadata: key, spec: { hard: { persistentvolumeclaims: "0" } } });
  await until("the quota is in force", async () => (await admin.get(resourceQuotas, key)).status?.hard !== undefined);
  return async () => void (await admin.delete(resourceQuotas, { ...key, uid: quota.metadata.uid }));
}

test("a use is returned when what it was for is undone", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const policy = await approveBeforehand(teams);
  await noRoom(teams);
  const wish = wishFor(teams, await boundClaim(t, place));
  await ask(bob, wish);
  await untilTold(bob, wish, "TargetRefused");
  await untilPolicySays(alice, policy, "PolicyExhausted", 1);
  const request = await bob.get(storageTransferRequests, { namespace: wish.to.namespace, name: wish.request });
  await bob.delete(storageTransferRequests, keyOf(request));
  await untilPolicySays(alice, policy, "PolicyActive", 0);
  const { spec } = await claimThatIs("Bound", admin, wish.from);
  const volume = await admin.get(persistentVolumes, { name: spec?.volumeName ?? "" });
  const reading = journalOn(volume);
  equal(reading.is === "journal" && reading.journal.outcome, "rolled-back");
  equal(volume.spec?.persistentVolumeReclaimPolicy, "Delete");
});

test("a policy that is deleted before the source is given up takes it back, and a new one of the name is another", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const policy = await approveBeforehand(teams);
  const makeRoom = await noRoom(teams);
  const wish = wishFor(teams, await boundClaim(t, place));
  await ask(bob, wish);
  await untilTold(bob, wish, "TargetRefused");
  await alice.delete(storageTransferPolicies, keyOf(policy));
  await untilTold(bob, wish, "AwaitingApproval");
  await makeRoom();
  await claimThatIs("Bound", admin, wish.from);
  const again = {
    ...aPolicy(place.namespace, policy.spec),
    metadata: { namespace: place.namespace, name: policy.metadata.name },
  };
  const second = await alice.create(storageTransferPolicies, again);
  await untilComplete(bob, wish);
  await untilPolicySays(alice, second, "PolicyExhausted", 1);
});

test("a policy ends by itself when its time is over, and what has its use by then goes through", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const makeRoom = await noRoom(teams);
  const [first, second] = [wishFor(teams, await boundClaim(t, place)), wishFor(teams, await boundClaim(t, place))];
  const policy = await approveBeforehand(teams, { count: 5 });
  await ask(bob, first);
  await untilTold(bob, first, "TargetRefused");
  await untilPolicySays(alice, policy, "PolicyActive", 1);
  const end = new Date(Date.now() + 2000).toISOString();
  await alice.merge(storageTransferPolicies, keyOf(policy), { spec: { until: end } });
  await untilPolicySays(alice, policy, "PolicyExpired", 1);
  await ask(bob, second);
  await untilTold(bob, second, "AwaitingApproval");
  await makeRoom();
  await untilComplete(bob, first);
  await untilPolicySays(alice, policy, "PolicyExpired", 1);
  equal((await statusOf(bob, second)).conditions?.[0]?.reason, "AwaitingApproval");
});

test("where the approval that a request names exists, it is used and the policy is not", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const wish = wishFor(teams, await boundClaim(t, place));
  await approve(alice, wish);
  const policy = await approveBeforehand(teams);
  await ask(bob, wish);
  await untilComplete(bob, wish);
  await untilPolicySays(alice, policy, "PolicyActive", 0);
});

test("an empty claim moves by a policy, and is counted", async (t) => {
  const teams = await twoTeams(t);
  const { alice, bob, place } = teams;
  const name = `wait-${randomWord()}`;
  await admin.create(storageClasses, {
    metadata: { name },
    provisioner: "none.portway.dev",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  t.after(async () => await admin.delete(storageClasses, keyOf(await admin.get(storageClasses, { name }))));
  const policy = await approveBeforehand(teams);
  const claim = await newClaim(admin, { ...place, className: name });
  const wish = wishFor(teams, claim.metadata.name);
  await ask(bob, wish, { whenUnbound: "Move" });
  await untilComplete(bob, wish);
  equal(await admin.find(persistentVolumeClaims, wish.from), undefined);
  equal((await bob.get(persistentVolumeClaims, wish.to)).spec?.storageClassName, name);
  await untilPolicySays(alice, policy, "PolicyExhausted", 1);
});
