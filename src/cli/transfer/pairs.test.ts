import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { StorageTransferRequestStatus } from "../../api/gen/transfer.ts";
import type { Eyes, Sight } from "../kubectl/eyes.ts";
import { inColumns } from "../text/columns.ts";
import { type Approval, approvalOf, type Handshake, type Request, requestOf } from "./handshake.ts";
import { nobodyElse, pairsOf, standingOf } from "./pairs.ts";
import { cellsOf, headingsOf } from "./standing-table.ts";

const wish: Handshake = {
  source: { namespace: "team-a", name: "data" },
  target: { namespace: "team-b", name: "copy" },
  requestName: "r",
  approvalName: "a",
};
const stamp = { uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function aRequest(status?: StorageTransferRequestStatus, name = "r"): Request {
  const request = requestOf({ ...wish, requestName: name });
  return { ...request, metadata: { namespace: "team-b", name, ...stamp }, ...(status === undefined ? {} : { status }) };
}

const approval: Approval = { ...approvalOf(wish, "x"), metadata: { namespace: "team-a", name: "a", ...stamp } };

/** Sees nothing, or nothing but what is not there. */
function eyes(answer: Sight<undefined>): Eyes {
  return { find: () => Promise.resolve(answer), list: () => Promise.resolve({ is: "unseen" }), unseen: [] };
}

const blind = eyes({ is: "unseen" });
const empty = eyes({ is: "seen", value: undefined });

function told(phase: "Pending" | "Transferring" | "Complete" | "Failed", reason: string): StorageTransferRequestStatus {
  const condition = { type: "Complete", status: "False", reason, message: "m", lastTransitionTime: "" } as const;
  const hasEnded = phase === "Complete" || phase === "Failed";
  return { phase, conditions: [condition], ...(hasEnded ? { completionTime: "2026-01-01T00:00:09Z" } : {}) };
}

test("a request and the approval that says yes to it are one line", async () => {
  equal((await pairsOf([aRequest()], [approval], blind)).length, 1);
  equal((await pairsOf([aRequest(undefined, "other")], [approval], blind)).length, 2);
});

test("among all of a cluster nobody else is asked for", async () => {
  let asked = 0;
  const counting: Eyes = { ...blind, find: async () => ((asked += 1), { is: "unseen" }) };
  const all = [aRequest(undefined, "one"), aRequest(undefined, "two")];
  await pairsOf(all, [], counting);
  equal(asked, 2, "in one namespace each is looked for");
  deepEqual(
    (await pairsOf(all, [], nobodyElse)).map(({ approval: sight }) => sight),
    all.map(() => ({ is: "seen", value: undefined })),
  );
});

const nexts: readonly (readonly [
  says: string,
  requests: readonly Request[],
  approvals: readonly Approval[],
  Eyes,
  next: string,
])[] = [
  [
    "an open request: the line for the other side",
    [aRequest(told("Pending", "AwaitingApproval"))],
    [],
    blind,
    "kubectl portway approve team-b/r -n team-a --source data --approval-name a",
  ],
  [
    "a request whose approval is certainly missing, before Portway has looked",
    [aRequest()],
    [],
    empty,
    "kubectl portway approve team-b/r -n team-a --source data --approval-name a",
  ],
  [
    "one that waits for something else: why",
    [aRequest(told("Pending", "SourceInUse"))],
    [],
    blind,
    "kubectl portway explain request/r -n team-b",
  ],
  ["a complete one: the claim", [aRequest(told("Complete", "Settled"))], [], blind, "kubectl get pvc copy -n team-b"],
  ["a failed one: undo", [aRequest(told("Failed", "SourceInUse"))], [], blind, "kubectl portway undo r -n team-b"],
  [
    "an approval that nobody has asked for: the line for the other side",
    [],
    [approval],
    empty,
    "kubectl portway request team-a/data -n team-b --request-name r --approval-name a",
  ],
  ["an approval whose request is hidden: why", [], [approval], blind, "kubectl portway explain approval/a -n team-a"],
];

for (const [says, requests, approvals, look, next] of nexts) {
  test(`what to type next for ${says}`, async () => {
    deepEqual(
      (await pairsOf(requests, approvals, look)).map((pair) => standingOf(pair).next),
      [next],
    );
  });
}

test("the table is as it was, narrow and wide", async () => {
  const requests = [aRequest(told("Pending", "AwaitingApproval")), aRequest(undefined, "fresh")];
  const all = (await pairsOf(requests, [approval], blind)).map(standingOf);
  const look = { isWide: false, colours: false, now: new Date("2026-01-01T00:05:00Z") };
  equal(
    inColumns(
      headingsOf(look),
      all.map((one) => cellsOf(one, look)),
    ),
    [
      "REQUEST        SOURCE        TARGET        PHASE     AGE   WHY                                                           NEXT",
      "team-b/r       team-a/data   team-b/copy   Pending   5m    The owner of the source has not approved this transfer yet.   kubectl portway approve team-b/r -n team-a --source data --approval-name a",
      "team-b/fresh   team-a/data   team-b/copy   New       5m    Portway has not said anything about it yet.                   kubectl portway explain request/fresh -n team-b",
    ].join("\n"),
  );
  deepEqual(headingsOf({ isWide: true }).slice(5, 8), ["APPROVAL", "REASON", "OPERATION"]);
});

test("colours do not move the columns", () => {
  equal(inColumns(["A", "B"], [["\u001b[32mx\u001b[0m", "y"]]), "A   B\n\u001b[32mx\u001b[0m   y");
});
