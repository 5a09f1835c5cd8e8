import { equal, notEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { holdFinalizer, seedClaimStatus, seedMarks } from "../../src/api/transfer/names.ts";
import { claimThatIs } from "../fixture/binding.ts";
import { accept, type Hands, handsOf, ours, plain } from "./giving.ts";
import { boundPair, type Pair, transferGround } from "./ground.ts";

const { admin, controller } = await transferGround();
const orders: readonly (readonly [says: string, act: (hands: Hands, pair: Pair) => Promise<unknown>])[] = [
  [
    "given, accepted, deleted",
    async (h) => {
      await h.gives();
      await h.accepts();
      await h.untilMarked("pending");
      await h.deletes();
    },
  ],
  [
    "accepted, given, deleted",
    async (h) => {
      await h.accepts();
      await h.gives();
      await h.untilMarked("pending");
      await h.deletes();
    },
  ],
  [
    "given, deleted, accepted",
    async (h) => {
      await h.gives();
      await h.untilLocked();
      await h.deletes();
      await h.accepts();
    },
  ],
  [
    "given under our own name, and accepted in the same second",
    async (h) => {
      await Promise.all([h.gives(ours), h.accepts()]);
      await h.untilLocked();
      await h.deletes();
    },
  ],
  [
    "accepted by a claim that was there before, and that nothing holds back",
    async (h, pair) => {
      const { from, to } = pair.transfer;
      await admin.create(persistentVolumeClaims, { metadata: to, spec: plain(pair) });
      await h.gives();
      await h.untilLocked();
      await h.deletes();
      await h.annotate({ [accept]: `${from.namespace}/foo` }, to);
    },
  ],
];

for (const [says, act] of orders) {
  test(`${says}: the volume arrives, and is the same`, async (t) => {
    const pair = await boundPair(t, admin);
    const hands = handsOf(pair, { admin });
    await act(hands, pair);
    await hands.arrived();
  });
}

test("while the source lives, its volume is marked as the seed prints it, and the target names no volume", async (t) => {
  const pair = await boundPair(t, admin);
  const hands = handsOf(pair, { admin });
  await hands.gives();
  await hands.accepts();
  await hands.untilMarked("pending");
  const { from, to } = pair.transfer;
  const { annotations } = (await hands.volume()).metadata;
  equal(annotations?.[seedMarks.status], "pending");
  equal(annotations?.[seedMarks.source], `${from.namespace}/${from.name}`);
  equal(annotations?.[seedMarks.destination], `${to.namespace}/${to.name}`);
  equal((await hands.volume()).spec?.persistentVolumeReclaimPolicy, "Retain");
  equal((await admin.get(persistentVolumeClaims, to)).spec?.volumeName ?? "", "");
});

test("a give that is withdrawn leaves everything as it was, and can be given again", async (t) => {
  const pair = await boundPair(t, admin);
  const hands = handsOf(pair, { admin });
  await hands.gives();
  await hands.accepts();
  await hands.untilMarked("pending");
  await hands.withdraws();
  await hands.untilBack();
  const target = await admin.get(persistentVolumeClaims, pair.transfer.to);
  equal(target.metadata.annotations?.[seedClaimStatus], undefined);
  equal(target.spec?.volumeName ?? "", "");
  equal((await claimThatIs("Bound", admin, pair.transfer.from)).metadata.uid, pair.claim.metadata.uid);
  await hands.gives();
  await hands.untilMarked("pending");
  await hands.deletes();
  await hands.arrived();
});

test("after the source is deleted, its namespace takes the volume back", async (t) => {
  const pair = await boundPair(t, admin);
  const hands = handsOf(pair, { admin });
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  const again = await hands.accepts({}, pair.transfer.from);
  notEqual(again.metadata.uid, pair.claim.metadata.uid);
  const claim = await claimThatIs("Bound", admin, pair.transfer.from);
  equal(claim.metadata.uid, again.metadata.uid);
  await hands.untilBack();
});

test("a claim of the right name that does not accept gets nothing", async (t) => {
  const pair = await boundPair(t, admin);
  const hands = handsOf(pair, { admin });
  await admin.create(persistentVolumeClaims, { metadata: pair.transfer.to, spec: plain(pair) });
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  const volume = await hands.volume();
  equal(volume.spec?.claimRef?.uid, pair.claim.metadata.uid);
  await hands.annotate({ [accept]: `${pair.transfer.from.namespace}/foo` }, pair.transfer.to);
  await hands.arrived();
});

test("a claim that is given and deleted at once, with nobody at work, keeps its volume, and then goes", async (t) => {
  const pair = await boundPair(t, admin);
  const hands = handsOf(pair, { admin });
  await controller.killed();
  await hands.gives();
  await hands.deletes();
  ok((await admin.get(persistentVolumeClaims, pair.transfer.from)).metadata.finalizers?.includes(holdFinalizer));
  await controller.start();
  await hands.untilGone();
  await hands.accepts();
  await hands.arrived();
});
