import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { events, namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import type { Client } from "../../src/kube/client.ts";
import { binderCatchesUp, type Claim, claimPhase, newClaim, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { transferOf } from "../fixture/transfer.ts";
import { accept, give, handsOf, type Neighbours, neighbours } from "./giving.ts";
import { areUntouched, boundAs, boundPair, transferGround } from "./ground.ts";
import { everyMark } from "./marks.ts";

/* Claims that are made to get what nobody has given to them. Whoever attacks administers a namespace, or edits in one. */
const { cluster, admin } = await transferGround();

/** Whatever the engine and the binder would do about the attack, they have done when a legal act after it is over. */
async function everybodyHasLooked(t: TestContext, { place }: Pick<Neighbours, "place">): Promise<void> {
  await neighbours(t, cluster, admin);
  await binderCatchesUp(t, admin, place);
}

/** The volume waits for whoever accepts it, and nobody can bind it. */
async function isKeptFor({ hands, claim }: Neighbours): Promise<boolean> {
  const { spec } = await hands.volume();
  return spec?.claimRef?.uid === claim.metadata.uid && spec.persistentVolumeReclaimPolicy === "Retain";
}

test("a claim that names another's volume gives nothing away", async (t) => {
  const victim = await boundPair(t, admin);
  const { alice, bob, transfer, place } = await neighbours(t, cluster, admin);
  const spec = { volumeName: victim.volume.metadata.name };
  const [home, className] = [transfer.from.namespace, victim.place.className];
  await newClaim(alice, { namespace: home, className }, spec, { name: "stolen", annotations: { [give]: "x/y" } });
  const theft = { ...victim, transfer: transferOf({ namespace: home, name: "stolen" }, transfer.to) };
  const hands = handsOf(theft, { admin, giver: alice, taker: bob });
  await hands.gives();
  const loot = await hands.accepts();
  await hands.untilTold("SourceNotBound");
  await hands.deletes();
  await everybodyHasLooked(t, { place });
  ok(await areUntouched(admin, victim));
  equal(await claimPhase(admin, loot), "Pending");
});

test("neither a squatter under the target's name nor a namesake elsewhere gets what is given to somebody else", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer, place, volume, bob } = teams;
  const { className } = place;
  const editor = await tenantWith(t, cluster, "mallory", transfer.to.namespace, "edit");
  const third = await newNamespace(t, admin);
  const mallory = await tenantWith(t, cluster, "mallory", third, "admin");
  const names = { volumeName: volume.metadata.name };
  const words = { annotations: { [accept]: `${transfer.from.namespace}/foo` } };
  const squatter = await newClaim(editor, { ...transfer.to, className }, names, { name: "bar" });
  const namesakes = [
    await newClaim(mallory, { namespace: third, className }, {}, { name: "bar", ...words }),
    await newClaim(mallory, { namespace: third, className }, names, { name: "named", ...words }),
    await newClaim(bob, { ...transfer.to, className }, {}, { name: "other", ...words }),
  ];
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  await everybodyHasLooked(t, teams);
  for (const claim of [squatter, ...namesakes]) equal(await claimPhase(admin, claim), "Pending");
  ok(await isKeptFor(teams), "the give waits, whatever stands in the place of the target");
  await hands.clears();
  await hands.accepts();
  await hands.arrived();
});

test("marks that a claim is made with prove nothing", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer, place } = teams;
  const editor = await tenantWith(t, cluster, "mallory", transfer.to.namespace, "edit");
  const { finalizers: _, ...forged } = everyMark;
  const planted = await newClaim(
    editor,
    { ...place, ...transfer.to },
    {},
    {
      name: "bar",
      ...forged,
    },
  );
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  await everybodyHasLooked(t, teams);
  equal(await claimPhase(admin, planted), "Pending");
  ok(await isKeptFor(teams));
});

test("a give that a back-up restores elsewhere is a give of that claim, by whoever may give there, and of no other", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer, place } = teams;
  await hands.gives();
  const { metadata } = await admin.get(persistentVolumeClaims, transfer.from);
  const elsewhere = { namespace: await newNamespace(t, admin), className: `${place.className}-restored` };
  const editor = await tenantWith(t, cluster, "bob", elsewhere.namespace, "edit");
  const mallory = await tenantWith(t, cluster, "mallory", elsewhere.namespace, "admin");
  const backedUp = { name: metadata.name, annotations: { ...metadata.annotations } };
  match((await refusalOf(newClaim(editor, elsewhere, {}, backedUp))).message, /bob may not give away the claim foo/);
  const disk = await newVolume(t, admin, elsewhere);
  await volumeThatIs("Available", admin, disk.metadata);
  const restored = await newClaim(mallory, elsewhere, { volumeName: disk.metadata.name }, backedUp);
  await until("it is given, too", async () => {
    return journalOn(await admin.get(persistentVolumes, keyOf(disk))).is === "give";
  });
  await mallory.delete(persistentVolumeClaims, keyOf(restored));
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
  equal((await volumeThatIs("Released", admin, disk.metadata)).spec?.claimRef?.uid, restored.metadata.uid);
});

test("the target's namespace, made again by somebody else, is not the one that it was given to", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer } = teams;
  const { namespace } = transfer.to;
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  await namespaceGone(namespace);
  await admin.create(namespaces, { metadata: { name: namespace } });
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "admin");
  const loot = await handsOf(teams, { admin, taker: mallory }).accepts();
  await everybodyHasLooked(t, teams);
  equal(await claimPhase(admin, loot), "Pending");
  ok(await isKeptFor(teams));
});

test("the source's namespace, made again by somebody else, takes nothing back", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer } = teams;
  const { namespace } = transfer.from;
  await hands.gives();
  await hands.untilLocked();
  await namespaceGone(namespace);
  await admin.create(namespaces, { metadata: { name: namespace } });
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "admin");
  const loot = await handsOf(teams, { admin, giver: mallory }).accepts({}, transfer.from);
  await everybodyHasLooked(t, teams);
  equal(await claimPhase(admin, loot), "Pending");
  ok(await isKeptFor(teams));
  await hands.accepts();
  await hands.arrived();
});

test("a claim that accepts is told the same whether its source exists, is given to another, or never was", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, transfer, place, bob } = teams;
  const { namespace } = transfer.from;
  await hands.gives();
  await hands.untilLocked();
  await boundAs(t, admin, { namespace, className: `${place.className}-kept` }, {}, "kept");
  const sources = [`${namespace}/kept`, `${namespace}/foo`, `${namespace}/no-such-claim`, "no-such-namespace/foo"];
  const asking = await Promise.all(
    sources.map((source) => newClaim(bob, { ...place, ...transfer.to }, {}, asks(source))),
  );
  await everybodyHasLooked(t, teams);
  const [first, ...others] = await Promise.all(asking.map((claim) => allThatIsToldOn(bob, claim)));
  for (const other of others) deepEqual(other, first);
  deepEqual(first?.said, []);
});

function asks(source: string) {
  return { name: `waits-for-${source.replace("/", "-")}`, annotations: { [accept]: source } };
}

/** What its owner can see of it, but for its name and its times. */
async function allThatIsToldOn(owner: Client, { metadata }: Claim) {
  const { namespace = "", name, uid } = metadata;
  const { metadata: now, spec, status } = await owner.get(persistentVolumeClaims, { namespace, name });
  const said = [];
  for await (const { items } of owner.pages(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` }))
    said.push(...items.filter(({ source }) => source?.component === "portway-transfer").map(({ message }) => message));
  return { spec, status, said, marks: Object.keys(now.annotations ?? {}), finalizers: now.finalizers };
}

async function namespaceGone(name: string): Promise<void> {
  await admin.delete(namespaces, keyOf(await admin.get(namespaces, { name })));
  await until(`${name} is gone`, async () => (await admin.find(namespaces, { name })) === undefined);
}
