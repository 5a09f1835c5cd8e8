import { rest, step, type Table, wait } from "../../../runtime/table.ts";
import { staleSeconds } from "../../lease.ts";
import { isAsWished, isOurs, type Seen } from "./seen.ts";

export type Step = "register" | "renew" | "ask-lease" | "take-over" | "give-up";

const askAgainSeconds = 2;
/** As long as it takes to see whether the other one is only on its way out. */
export const patienceSeconds = 90;

const isSince = (moment: Date | undefined, now: Date) =>
  moment === undefined ? Number.POSITIVE_INFINITY : (now.getTime() - moment.getTime()) / 1000;
const isAnothers = ({ found, wished }: Seen) => found !== undefined && !isOurs(found, wished);
const isStale = ({ asked, now }: Seen) => asked !== undefined && isSince(asked.renewedAt, now) > staleSeconds;

/** A driver's name belongs to one installation: two under one name would each do half of the other's work. */
export const registering: Table<Seen, Step> = [
  ["nobody has the name", ({ found }) => found === undefined, step("register")],
  ["the name is ours, with other words", (s) => !isAnothers(s) && !asWished(s), step("renew")],
  [
    "the other one has not been asked after",
    (s) => isAnothers(s) && isSince(s.asked?.at, s.now) >= askAgainSeconds,
    step("ask-lease"),
  ],
  ["the other one is gone", (s) => isAnothers(s) && isStale(s), step("take-over")],
  ["the other one lives", (s) => isAnothers(s) && isSince(s.since, s.now) > patienceSeconds, step("give-up")],
  ["the other one may be on its way out", isAnothers, wait("DriverNameTaken", { recheckSeconds: askAgainSeconds })],
  ["the name is ours", (s) => !isAnothers(s), rest],
];

function asWished({ found, wished }: Seen): boolean {
  return found !== undefined && isAsWished(found, wished);
}
