import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { boolean, constantFrom, record } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { aGiveJournal } from "../../../test/transfer/gives.ts";
import { aClaim, aVolume, noon, place, theTarget, watchesOf } from "../../../test/transfer/worlds.ts";
import { journalText } from "../../api/transfer/journal.ts";
import type { Wish } from "../../api/transfer/wish.ts";
import { decide } from "../../runtime/table.ts";
import { accepting } from "./rules.ts";
import { type Accepting, observeAccepting } from "./seen.ts";

const claim = aClaim({ ...theTarget }, { volumeName: "" }, "Pending");
const clear: Wish = { is: "clear", namespace: "team-a", name: "data" };
const wish = constantFrom<Wish>({ is: "none" }, clear, { is: "unclear", why: "it says nothing" });
const states = record<Accepting>({
  claim: constantFrom(claim),
  wish,
  transfersAreOn: boolean(),
  now: constantFrom(noon),
});

tableTests({ name: "accepting", table: accepting, states });

test("while transfers are on it is told nothing, whatever it waits for", () => {
  const seen: Accepting = { claim, wish: clear, transfersAreOn: true, now: noon };
  deepEqual(decide(accepting, seen).plan, { do: "rest" });
});

const source = `${place.from}/${place.source}`;
const accepts = { annotations: { transferAccept: source } };
const worlds: readonly (readonly [says: string, isSeen: boolean, world: Parameters<typeof watchesOf>[0]])[] = [
  ["waits for a give", true, { claims: [aClaim({ ...theTarget, ...accepts }, { volumeName: "" }, "Pending")] }],
  ["has its volume", false, { claims: [aClaim({ ...theTarget, ...accepts })] }],
  ["accepts nothing", false, { claims: [claim] }],
  [
    "is given a volume",
    false,
    {
      claims: [aClaim({ ...theTarget, ...accepts }, { volumeName: "" }, "Pending")],
      volumes: [aVolume({ journal: journalText(aGiveJournal()) })],
    },
  ],
];

for (const [says, isSeen, world] of worlds) {
  test(`a claim that ${says} is ${isSeen ? "" : "not "}this loop's to speak to`, async () => {
    const look = { now: noon, reply: undefined };
    const key = `${place.to}/${place.target}`;
    const seen = await observeAccepting(watchesOf(world), { transfersAreOn: false }, key, look);
    equal(seen !== undefined, isSeen);
  });
}
