import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { configMaps } from "../api/gen/core.ts";
import type { KubeObject, Resource, Stored } from "../api/object.ts";
import type { Client } from "../kube/client.ts";
import { type Hand, handOf } from "./hand.ts";

const note: Stored<KubeObject> = {
  metadata: { name: "note", namespace: "a", uid: "u", resourceVersion: "7" },
};

/** A hand over a server that answers all writes alike, and caches that write down what they are shown. */
function handBefore(answer: () => Promise<Stored<KubeObject> | undefined>, signal = new AbortController().signal) {
  const shown: string[] = [];
  const client: unknown = { create: answer, patch: answer, apply: answer, update: answer, delete: answer };
  const hand = handOf({
    client: client as Client,
    sources: {
      wrote: (resource: Resource, { metadata }) =>
        void shown.push(`wrote ${resource.plural}/${metadata.name} ${metadata.resourceVersion}`),
      ended: (resource, { name }, uid) => void shown.push(`ended ${resource.plural}/${name} ${uid}`),
    },
    holdsLease: () => true,
    signal,
    tell: () => undefined,
  });
  return { hand, shown };
}

const remove = (hand: Hand) => hand.delete(configMaps, note.metadata);
const writes: readonly (readonly [says: string, write: (hand: Hand) => Promise<unknown>])[] = [
  ["a create", (hand) => hand.create(configMaps, note)],
  ["an update", (hand) => hand.update(configMaps, note)],
  ["a patch", (hand) => hand.patch(configMaps, note.metadata, [])],
  ["an apply", (hand) => hand.apply(configMaps, note)],
  ["a delete of something that is held back", remove],
];

for (const [says, write] of writes) {
  test(`after ${says} the caches show the server's answer before the next look`, async () => {
    const { hand, shown } = handBefore(async () => note);
    await write(hand);
    deepEqual(shown, ["wrote configmaps/note 7"]);
  });
}

test("what the server has deleted is gone from the caches before the next look", async () => {
  const { hand, shown } = handBefore(async () => undefined);
  equal(await remove(hand), undefined);
  deepEqual(shown, ["ended configmaps/note u"]);
});

test("what is removed because its last finalizer was taken off is gone from the caches before the next look", async () => {
  const leaving = { ...note, metadata: { ...note.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const removed = handBefore(async () => leaving);
  await removed.hand.patch(configMaps, note.metadata, []);
  deepEqual(removed.shown, ["ended configmaps/note u"]);
  const held = handBefore(async () => ({ ...leaving, metadata: { ...leaving.metadata, finalizers: ["a/b"] } }));
  await held.hand.patch(configMaps, note.metadata, []);
  deepEqual(held.shown, ["wrote configmaps/note 7"]);
});

test("a write that failed is shown nowhere", async () => {
  const { hand, shown } = handBefore(() => Promise.reject(new Error("the server failed")));
  await rejects(remove(hand), /the server failed/);
  deepEqual(shown, []);
});

test("after its deadline a step writes no more", async () => {
  const { hand, shown } = handBefore(async () => note, AbortSignal.abort(new Error("too late")));
  await rejects(remove(hand), /too late/);
  deepEqual(shown, []);
});
