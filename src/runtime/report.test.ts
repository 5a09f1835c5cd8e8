import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims } from "../api/gen/core.ts";
import type { Condition } from "../api/gen/meta.ts";
import type { Client } from "../kube/client.ts";
import { handOf, LeaseInDoubt } from "./hand.ts";
import { isNews, type Note, type Report, writeReport } from "./report.ts";

const populated: Condition = {
  type: "DataPopulated",
  status: "True",
  reason: "Settled",
  message: "",
  lastTransitionTime: "2026-11-16T08:00:00Z",
};

function claimWith(status: object): Report["object"] {
  return { metadata: { name: "photos", namespace: "a", uid: "u", resourceVersion: "7" }, status };
}

/** A hand over a client that writes down what it is asked. */
function handWithLog({ holdsLease = true } = {}) {
  const sent: unknown[] = [];
  const notes: Note[] = [];
  const write = async (...words: unknown[]) => {
    sent.push(words.slice(1));
    return claimWith({});
  };
  const client = { create: write, patch: write, apply: write, update: write, delete: write } as unknown;
  const hand = handOf({
    client: client as Client,
    sources: { wrote: () => undefined, ended: () => undefined },
    holdsLease: () => holdsLease,
    signal: new AbortController().signal,
    tell: (note) => void notes.push(note),
  });
  return { hand, sent, notes };
}

test("the same status is no news, in whatever order its members stand", () => {
  const object = claimWith({ phase: "Bound", complete: true });
  equal(isNews({ resource: persistentVolumeClaims, object, status: { complete: true, phase: "Bound" } }), false);
  equal(isNews({ resource: persistentVolumeClaims, object, status: { complete: false, phase: "Bound" } }), true);
});

test("a condition is no news when only its time differs", () => {
  // The server adds members of its own to the conditions of claims.
  const stored = { ...populated, lastProbeTime: null, lastTransitionTime: "2020-01-01T00:00:00Z" };
  const object = claimWith({ conditions: [stored] });
  equal(isNews({ resource: persistentVolumeClaims, object, condition: populated }), false);
  equal(isNews({ resource: persistentVolumeClaims, object, condition: { ...populated, reason: "Working" } }), true);
});

test("a status is written against the version that was seen, and its event is told", async () => {
  const { hand, sent, notes } = handWithLog();
  const object = claimWith({});
  const note = { type: "Normal", reason: "TransferStarted", message: "begins" } as const;
  await writeReport({ resource: persistentVolumeClaims, object, status: { phase: "Bound" }, note }, hand);
  const [[, operations, options]] = sent as [[unknown, { op: string; path: string }[], { subresource: string }]];
  deepEqual(
    operations.map(({ op, path }) => `${op} ${path}`),
    ["test /metadata/uid", "test /metadata/resourceVersion", "add /status"],
  );
  equal(options.subresource, "status");
  deepEqual(notes, [{ ...note, resource: persistentVolumeClaims, object }]);
});

test("one condition among those of others is applied with the uid, so that a namesake is not taken for it", async () => {
  const { hand, sent } = handWithLog();
  await writeReport({ resource: persistentVolumeClaims, object: claimWith({}), condition: populated }, hand);
  deepEqual((sent as unknown[][])[0]?.[0], {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "photos", namespace: "a", uid: "u" },
    status: { conditions: [populated] },
  });
});

test("without the lease nothing is sent", async () => {
  const { hand, sent } = handWithLog({ holdsLease: false });
  await rejects(hand.delete(persistentVolumeClaims, { name: "photos", namespace: "a", uid: "u" }), LeaseInDoubt);
  deepEqual(sent, []);
});

test("a step that writes twice is a bug: no look would ever see the state between the two", async () => {
  const { hand, sent } = handWithLog();
  await hand.update(persistentVolumeClaims, claimWith({}));
  await rejects(hand.update(persistentVolumeClaims, claimWith({})), /writes once/);
  equal(sent.length, 1);
});
