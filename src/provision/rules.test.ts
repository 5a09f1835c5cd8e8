import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom, record } from "fast-check";
import { tableTests } from "../../test/fixture/table-kit.ts";
import { anIntent } from "../../test/provision/intents.ts";
import { aClaim, aClass, uid, volumeName } from "../../test/provision/orders.ts";
import { decide, type Plan } from "../runtime/table.ts";
import { selectedNodeAnnotation } from "./names.ts";
import { provisioning, type Step } from "./rules.ts";
import type { Seen } from "./seen.ts";

const names = { uid: "class-uid", resourceVersion: "1" };
const immediate = { ...aClass(), metadata: { name: "fast", ...names } };
const late = { ...immediate, volumeBindingMode: "WaitForFirstConsumer" } as const;
const volumeFor = (claimUid: string) => ({
  metadata: { name: volumeName, uid: "volume-uid", resourceVersion: "1" },
  spec: { claimRef: { uid: claimUid } },
});
const snapshot = { group: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s", door: "dataSource" } as const;
const elsewhere = { group: "git.example.com", kind: "Repository", name: "r", door: "dataSourceRef" } as const;
const leaving = aClaim();

const claims = [
  undefined,
  aClaim(),
  aClaim({ volumeName: "mine" }),
  aClaim({}, { [selectedNodeAnnotation]: "node-1" }),
  { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: "2026-11-18T12:00:00Z" } },
];

const states = record<Seen>({
  uid: constantFrom(uid),
  claim: constantFrom(...claims),
  storageClass: constantFrom(undefined, immediate, late),
  source: constantFrom(undefined, snapshot, elsewhere),
  volume: constantFrom(undefined, volumeFor(uid), volumeFor("another")),
  intent: constantFrom(undefined, anIntent(uid)),
  doubt: constantFrom(undefined, "it was begun long ago"),
  made: constantFrom(undefined, { metadata: { name: volumeName } }),
  now: constantFrom(new Date("2026-11-18T12:00:00Z")),
}).filter(({ claim, intent }) => claim !== undefined || intent !== undefined);

tableTests({ name: "provisioning", table: provisioning, states });

const fresh: Seen = {
  uid,
  claim: aClaim(),
  storageClass: immediate,
  source: undefined,
  volume: undefined,
  intent: undefined,
  doubt: undefined,
  made: undefined,
  now: new Date("2026-11-18T12:00:00Z"),
};
const intent = anIntent(uid);
const made = { metadata: { name: volumeName } };

const cases: readonly (readonly [says: string, seen: Partial<Seen>, plan: Plan<Step>])[] = [
  ["a new claim begins with its intent", {}, { do: "step", step: "begin" }],
  ["with the intent stored the driver is asked", { intent }, { do: "step", step: "ask-driver" }],
  ["it is asked on although the claim is gone", { intent, claim: undefined }, { do: "step", step: "ask-driver" }],
  ["what it made becomes a volume", { intent, made }, { do: "step", step: "write-volume" }],
  ["also when the claim is gone", { intent, made, claim: undefined }, { do: "step", step: "write-volume" }],
  ["an answer without an intent is nobody's", { made, claim: aClaim({ volumeName: "mine" }) }, { do: "rest" }],
  ["with its volume the intent is over", { intent, volume: volumeFor(uid) }, { do: "step", step: "close-intent" }],
  ["with its volume nothing is to be done", { volume: volumeFor(uid) }, { do: "rest" }],
  ["the scheduler comes first", { storageClass: late }, { do: "wait", why: "AwaitingPod" }],
  ["a populator's claim gets no empty volume", { source: elsewhere }, { do: "wait", why: "FilledByOthers" }],
];

for (const [says, seen, plan] of cases)
  test(says, () => deepEqual(decide(provisioning, { ...fresh, ...seen }).plan, plan));
