import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { type Facts, ready } from "../../../test/transfer/proposal-facts.ts";
import { seenOf, seenSample } from "../../../test/transfer/proposals.ts";
import type { Reason } from "../../api/reasons.ts";
import { closedGate, gates } from "./gates.ts";
import type { Proposed } from "./seen.ts";

const everything = await seenSample(5000);
const asksForItself = await seenOfItself();
const samples = [...everything.map(([, seen]) => seen), asksForItself];

/** A request of the source's own namespace for the source's own name. */
async function seenOfItself(): Promise<Proposed> {
  const { request, source, ...seen } = await seenOf(ready);
  const { namespace = "", name } = source?.metadata ?? { name: "" };
  const asked = {
    ...request,
    metadata: { ...request.metadata, namespace },
    spec: { ...request.spec, targetName: name },
  };
  return { ...seen, request: asked, source, target: source };
}

for (const [index, gate] of gates.entries()) {
  test(`the gate ${gate.name} closes, and nothing else would say the same`, () => {
    const others = gates.toSpliced(index, 1);
    const verdictOf = (from: typeof gates, seen: Proposed) =>
      JSON.stringify(from.map((one) => one(seen)).find((verdict) => verdict !== undefined));
    const closed = samples.filter((seen) => gate(seen) !== undefined);
    ok(closed.some((seen) => verdictOf(gates, seen) !== verdictOf(others, seen)));
  });
}

const cases: readonly (readonly [facts: Partial<Facts>, why: Reason, detail?: RegExp])[] = [
  [{ transfersAreOn: false }, "TransfersDisabled"],
  [{ source: "none" }, "SourceNotFound", /from\/foo/],
  [{ approval: "pinned to another" }, "SourceNotFound", /another-uid/],
  [{ source: "young" }, "SourceNewerThanApproval"],
  [{ obstacle: "opted out" }, "OptedOut", /claim/],
  [{ obstacle: "class opted out" }, "OptedOut", /fast/],
  [{ source: "leaving" }, "SourceLeaving"],
  [{ source: "empty" }, "SourceNotBound"],
  [{ source: "names a stranger's volume" }, "SourceNotBound"],
  [{ journal: "another's" }, "SourceBusy"],
  [{ journal: "another's, complete" }, "SourceBusy"],
  [{ journal: "newer" }, "SourceBusy", /version 2/],
  [{ volumeLeaves: true }, "VolumeLeaving"],
  [{ obstacle: "growing" }, "ResizeRunning"],
  [{ obstacle: "snapshot" }, "SnapshotRunning"],
  [{ obstacle: "clone" }, "CloneRunning"],
  [{ obstacle: "secret" }, "SecretInSource"],
  [{ toNamespace: "leaves" }, "TargetRefused"],
  [{ toNamespace: "is younger than the approval" }, "TargetNewerThanApproval"],
  [{ target: "planted as if moved", whenUnbound: "Move" }, "TargetTaken", /to\/bar/],
  [{ target: "stranger" }, "TargetTaken", /to\/bar/],
  [{ target: "marked" }, "TargetTaken", /to\/bar/],
  [{ obstacle: "other class" }, "SpecMismatch", /class/],
  [{ pods: true }, "SourceInUse", /user \(Running\)/],
  [{ attached: true }, "VolumeAttached", /node-1/],
];

for (const [facts, why, detail] of cases) {
  test(`${JSON.stringify(facts)} is told as ${why}`, async () => {
    const verdict = closedGate(await seenOf({ ...ready, ...facts }));
    ok(verdict?.do === "wait");
    equal(verdict.why, why);
    if (detail !== undefined) match(verdict.detail ?? "", detail);
  });
}

test("a request for its own source is told so, and not that a stranger has the name", () => {
  const verdict = closedGate(asksForItself);
  deepEqual([verdict?.do, verdict?.do === "wait" && verdict.why], ["wait", "TargetTaken"]);
  match((verdict?.do === "wait" && verdict.detail) || "", /the same claim/);
});

test("a request that is to fail when pods use the source fails, and nothing else does", async () => {
  const verdict = closedGate(await seenOf({ ...ready, pods: true, whenInUse: "Fail" }));
  deepEqual([verdict?.do, verdict?.do === "refuse" && verdict.why], ["refuse", "SourceInUse"]);
  const refusals = everything.filter(
    ([{ whenInUse }, seen]) => whenInUse === "Wait" && closedGate(seen)?.do === "refuse",
  );
  deepEqual(refusals, []);
});
