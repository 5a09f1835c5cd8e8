import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type PersistentVolumeClaimSpec, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { holdFinalizer } from "../../src/api/transfer/names.ts";
import { installPortway } from "../fixture/install.ts";
import { until } from "../fixture/portway.ts";
import { transferOf } from "../fixture/transfer.ts";
import { accept, give, handsOf, ours } from "./giving.ts";
import { areUntouched, boundAs, boundPair, transferGround } from "./ground.ts";

/* Gives and accepts that cannot be served: each is told on its claim in a sentence, and nothing is changed. */
const { cluster, admin } = await transferGround();

async function given(t: TestContext) {
  const pair = await boundPair(t, admin);
  return { ...pair, hands: handsOf(pair, { admin }) };
}

const misfits: readonly (readonly [says: string, spec: PersistentVolumeClaimSpec, words: RegExp])[] = [
  ["asks for less", { resources: { requests: { storage: "1Mi" } } }, /less than the 1Gi of the source/],
  ["asks for more", { resources: { requests: { storage: "2Gi" } } }, /the volume has 1Gi/],
  ["is of another class", { storageClassName: "another" }, /class/],
  ["has another mode", { volumeMode: "Block" }, /volume mode/],
  ["wants other access", { accessModes: ["ReadWriteMany"] }, /access modes/],
];

for (const [says, spec, words] of misfits) {
  test(`a claim that accepts and ${says} gets nothing, and both sides are told why`, async (t) => {
    const { hands, transfer } = await given(t);
    await hands.gives();
    await hands.accepts(spec);
    match(await hands.untilTold("SpecMismatch", transfer.to), words);
    match(await hands.untilTold("SpecMismatch"), words);
    await hands.untilLocked();
    await hands.deletes();
    equal((await hands.volume()).spec?.persistentVolumeReclaimPolicy, "Retain");
  });
}

test("what is told is told once: nobody writes to either claim again while nothing changes", async (t) => {
  const { hands, transfer } = await given(t);
  await hands.gives();
  await hands.accepts({ storageClassName: "another" });
  const places = [transfer.from, transfer.to];
  for (const place of places) await hands.untilTold("SpecMismatch", place);
  const versions = async () =>
    await Promise.all(places.map(async (place) => (await admin.get(persistentVolumeClaims, place)).metadata));
  const before = (await versions()).map(({ resourceVersion }) => resourceVersion);
  const other = await given(t);
  await other.hands.gives();
  await other.hands.accepts();
  await other.hands.deletes();
  await other.hands.arrived();
  deepEqual(
    (await versions()).map(({ resourceVersion }) => resourceVersion),
    before,
  );
});

test("a target that has a volume of its own keeps it, and is told", async (t) => {
  const { hands, transfer, place } = await given(t);
  const taken = await boundAs(t, admin, { ...place, namespace: transfer.to.namespace }, {}, transfer.to.name);
  await hands.annotate({ [accept]: `${transfer.from.namespace}/foo` }, transfer.to);
  await hands.gives();
  match(await hands.untilTold("SpecMismatch", transfer.to), /it is bound to another volume/);
  await hands.deletes();
  await hands.untilGone();
  ok(await areUntouched(admin, taken));
  equal((await hands.volume()).spec?.persistentVolumeReclaimPolicy, "Retain");
});

const unclear: readonly (readonly [says: string, annotations: Readonly<Record<string, string>>, words: RegExp])[] = [
  ["is no place", { [give]: "nowhere" }, /Write NAMESPACE\/NAME/],
  ["says two things", { [give]: "a/b", [ours]: "a/c" }, /do not name the same claim/],
];

for (const [says, annotations, words] of unclear) {
  test(`a give that ${says} is refused at once, and nothing is changed`, async (t) => {
    const { hands } = await given(t);
    await rejects(hands.annotate(annotations), words);
    equal(journalOn(await hands.volume()).is, "none");
  });
}

test("what was written before Portway came is told on the claims, in a sentence", async (t) => {
  const [one, two] = [await given(t), await given(t)];
  const policies = ["portway-consent-claims", "portway-own-marks"];
  t.after(() => installPortway(cluster));
  await cluster.kubectl(["delete", "validatingadmissionpolicybinding", ...policies]);
  await until("nobody refuses it", async () => {
    const wrong = one.hands.annotate({ [give]: "nowhere" });
    return await wrong.then(
      () => true,
      () => false,
    );
  });
  match(await one.hands.untilTold("WishUnclear"), /transferRequest is not of the form namespace\/name/);
  await two.hands.annotate({ [give]: "a/b", [ours]: "a/c" });
  match(await two.hands.untilTold("WishUnclear"), /say different things; keep one of them/);
  const accepting = await two.hands.accepts();
  await two.hands.annotate({ [accept]: "nowhere" }, two.transfer.to);
  match(await two.hands.untilTold("WishUnclear", two.transfer.to), /transferAccept is not of the form/);
  equal(accepting.spec?.volumeName, undefined);
  for (const pair of [one, two]) ok(await areUntouched(admin, pair));
  for (const { hands } of [one, two]) await hands.withdraws();
});

test("a give to a namespace that is not there is told on the claim, and nothing is changed", async (t) => {
  const { hands, transfer } = await given(t);
  await hands.annotate({ [give]: "no-such-namespace-here/bar" });
  match(await hands.untilTold("TargetNamespaceMissing"), /no-such-namespace-here/);
  equal(journalOn(await hands.volume()).is, "none");
  await hands.withdraws();
  await until("it is let go", async () => {
    const { finalizers = [] } = (await admin.get(persistentVolumeClaims, transfer.from)).metadata;
    return !finalizers.includes(holdFinalizer);
  });
});

test("within one namespace a give is a new name", async (t) => {
  const pair = await boundPair(t, admin);
  const { from } = pair.transfer;
  const hands = handsOf({ ...pair, transfer: transferOf(from, { ...from, name: "renamed" }) }, { admin });
  await hands.gives();
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
});

test("a thousand other annotations are nobody's business, and nothing of them goes with the volume", async (t) => {
  const { hands, transfer } = await given(t);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`example.dev/note-${at}`, "x".repeat(200)]));
  await hands.annotate(many);
  await hands.gives();
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
  const { annotations = {} } = (await admin.get(persistentVolumeClaims, transfer.to)).metadata;
  equal(
    Object.keys(annotations).some((name) => name.startsWith("example.dev/")),
    false,
  );
  ok(JSON.stringify((await hands.volume()).metadata.annotations).length < 2000);
});
