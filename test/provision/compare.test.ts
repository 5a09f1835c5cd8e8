import { deepEqual } from "node:assert/strict";
import { after, test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { cases } from "./compare/cases.ts";
import type { Difference } from "./compare/compare.ts";
import { askedOf, idOf, startComparison } from "./compare/comparison.ts";
import { differences } from "./compare/differences.ts";
import { inWords, judged } from "./compare/expected.ts";

/** All of them run from now on, many at a time; each test waits for its own. */
const asked = askedOf(cases);
const comparison = await startComparison(await laneCluster(), { programs: ["go", "ours"], asked });
after(() => comparison.stop());
const found: Difference[] = [];

for (const one of asked) {
  test(`as upstream's does, or as the list says: ${idOf(one)}`, async () => {
    const { differences: all, broken } = await comparison.resultOf(one);
    found.push(...all);
    deepEqual(broken, [], "the case does not do what it says");
    deepEqual(judged(all, differences).unlisted.map(inWords), []);
  });
}

test("every difference in the list occurs", () => {
  deepEqual(judged(found, differences).missing, []);
});
