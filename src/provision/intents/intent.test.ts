import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { anIntent } from "../../../test/provision/intents.ts";
import { doubtAbout, intentIn, intentText } from "./intent.ts";

test("an intent is read as it was written", () => {
  deepEqual(intentIn(intentText(anIntent("a"))), { is: "intent", intent: anIntent("a") });
});

for (const text of ["", "null", "[]", "{}", `{"v":2}`, `{"v":1}`, `{"v":1,"order":{"v":1,"claim":{}},"since":"now"}`]) {
  test(`${text === "" ? "nothing" : text} is no intent`, () => {
    equal(intentIn(text).is, "strange");
  });
}

const minutesLater = (minutes: number) => new Date(Date.parse(anIntent("a").since) + minutes * 60_000);

const cases: readonly (readonly [says: string, minutes: number, term: number | undefined, isDoubtful: boolean])[] = [
  ["of this very term", 1, 3, false],
  ["of the term right before", 1, 4, false],
  ["with somebody's term in between", 1, 5, true],
  ["of a Lease that was made anew since", 1, 0, true],
  ["where nobody is elected", 1, undefined, false],
  ["of an hour ago", 60, 3, true],
];

for (const [says, minutes, term, isDoubtful] of cases) {
  test(`what comes of an intent ${says} ${isDoubtful ? "is kept" : "goes its usual way"}`, () => {
    equal(doubtAbout(anIntent("a"), minutesLater(minutes), term) !== undefined, isDoubtful);
  });
}

test("an intent whose time cannot be read is an old one", () => {
  ok(doubtAbout({ ...anIntent("a"), since: "yesterday" }, minutesLater(0), 3));
});
