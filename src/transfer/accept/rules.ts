import { refuse, rest, type Table, wait } from "../../runtime/table.ts";
import type { Accepting } from "./seen.ts";

/** What a claim that accepts is told as long as nothing is on its way to it. Nothing is done to it. */
export const accepting: Table<Accepting, never> = [
  [
    "nobody can tell what it accepts",
    ({ wish }) => wish.is === "unclear",
    ({ wish }) => refuse("WishUnclear", wish.is === "unclear" ? `${wish.why}.` : ""),
  ],
  [
    "transfers are switched off",
    ({ wish, transfersAreOn }) => wish.is === "clear" && !transfersAreOn,
    wait("TransfersDisabled"),
  ],
  [
    "it waits for a give, or accepts nothing",
    ({ wish, transfersAreOn }) => wish.is === "none" || (wish.is === "clear" && transfersAreOn),
    rest,
  ],
];
