import { step, type Table, wait } from "../../runtime/table.ts";
import type { SeenPolicy } from "./seen.ts";
import { stateOf, usesOf } from "./uses.ts";

export type Step = "return-uses";

const stateIn = ({ policy, now }: SeenPolicy) => stateOf(policy.spec, usesOf(policy), now);

/** What can happen to a policy, besides that a request takes a use of it. */
export const standing: Table<SeenPolicy, Step> = [
  ["a use has handed nothing over", ({ inVain }) => inVain.length > 0, step("return-uses")],
  ["its time is over", (s) => stateIn(s) === "PolicyExpired", wait("PolicyExpired")],
  [
    "all its uses are taken",
    (s) => stateIn(s) === "PolicyExhausted",
    (s) => wait("PolicyExhausted", { recheckSeconds: secondsLeft(s) }),
  ],
  [
    "it can be used",
    (s) => stateIn(s) === "PolicyActive",
    // The first use tells the same, and often comes with the policy.
    (s) => wait("PolicyActive", { recheckSeconds: secondsLeft(s), quietSeconds: 1 }),
  ],
];

function secondsLeft({ policy, now }: SeenPolicy): number {
  const { until } = policy.spec;
  return until === undefined ? Number.POSITIVE_INFINITY : (Date.parse(until) - now.getTime()) / 1000;
}
