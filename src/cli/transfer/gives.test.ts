import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import type { GiveJournal } from "../../api/transfer/journal.ts";
import { givesAmong, standingOfGive } from "./gives.ts";

type Claim = Stored<PersistentVolumeClaim>;

function aClaim(namespace: string, annotations: Readonly<Record<string, string>>, more: Partial<Claim> = {}): Claim {
  const metadata = { namespace, name: "data", uid: namespace, resourceVersion: "1", annotations };
  const spec = { resources: { requests: { storage: "1Gi" } }, storageClassName: "fast" };
  return { metadata: { ...metadata, ...more.metadata }, spec, ...(more.status && { status: more.status }) };
}

const giver = aClaim("team-a", { transferRequest: "team-b/data" });
const held = aClaim("team-a", giver.metadata.annotations ?? {}, {
  metadata: { ...giver.metadata, finalizers: ["transfer.portway.dev/hold"] },
});
const taker = aClaim("team-b", { transferAccept: "team-a/data" });
const marked = (status: string) =>
  aClaim("team-b", { transferAccept: "team-a/data", "pvc.kubernetes.io/transfer-status": status });
const condition = {
  type: "transfer.portway.dev/HandOver",
  status: "False",
  reason: "SpecMismatch",
  message: "too small",
} as const;
const stuck = aClaim("team-b", { transferAccept: "team-a/data" }, { status: { conditions: [condition] } });

const journal: GiveJournal = {
  v: 1,
  door: "annotation",
  id: "team-a",
  volumeUID: "v",
  source: { namespace: "team-a", namespaceUID: "na", name: "data", uid: "team-a" },
  target: { namespace: "team-b", namespaceUID: "nb", name: "data" },
  policy: "Delete",
  boundByController: true,
  claim: { accessModes: ["ReadWriteOnce"], storage: "1Gi", storageClassName: "fast" },
  startedAt: "2026-01-01T00:00:00Z",
};

function aVolume(written: GiveJournal): Stored<PersistentVolume> {
  const annotations = { "transfer.portway.dev/journal": JSON.stringify(written) };
  return { metadata: { name: "pv", uid: "v", resourceVersion: "1", annotations } };
}

const accept = "kubectl portway accept team-a/data data -n team-b --size 1Gi --class fast";

const cases: readonly (readonly [
  says: string,
  claims: readonly Claim[],
  journals: readonly GiveJournal[],
  told: readonly [phase: string, reason: string],
  next: string,
])[] = [
  ["a give that is not locked yet", [held], [], ["New", ""], "kubectl portway explain pvc/data -n team-a"],
  ["a give, seen by its owner", [giver], [], ["Pending", ""], accept],
  [
    "a give that nobody accepts, seen by an administrator",
    [giver],
    [journal],
    ["Pending", "AwaitingAcceptance"],
    accept,
  ],
  ["one whose source is deleted already", [], [journal], ["Pending", "AwaitingAcceptance"], accept],
  ["an accept alone", [taker], [], ["Pending", ""], "kubectl portway give data team-b/data -n team-a"],
  [
    "an accept that has met its give",
    [giver, marked("pending")],
    [],
    ["Pending", "AwaitingDeletion"],
    "kubectl delete pvc data -n team-a",
  ],
  ["one that cannot be", [stuck], [], ["Pending", "SpecMismatch"], "kubectl portway explain pvc/data -n team-b"],
  ["one that is over", [marked("complete")], [], ["Complete", "Settled"], "kubectl get pvc data -n team-b"],
];

for (const [says, claims, journals, [phase, reason], next] of cases) {
  test(`${says}: one line, and what to type next`, () => {
    const all = givesAmong(claims, journals.map(aVolume)).map(standingOfGive);
    deepEqual(
      all.map((one) => [one.phase, one.reason, one.next, one.source.namespace, one.target.namespace]),
      [[phase, reason, next, "team-a", "team-b"]],
    );
  });
}

test("a volume that has arrived tells nothing by itself", () => {
  equal(givesAmong([], [aVolume({ ...journal, outcome: "complete" })]).length, 0);
});
