import { constantFrom, record, sample } from "fast-check";
import type { Journal } from "../../src/api/transfer/journal.ts";
import { observePolicy, type SeenPolicy } from "../../src/transfer/standing/seen.ts";
import {
  aClaim,
  aJournal,
  aVolume,
  byPolicy,
  endedAs,
  leaving,
  noon,
  place,
  thePolicy,
  theRequest,
  theSource,
  theUse,
  watchesOf,
} from "./worlds.ts";

/** What may be there when a policy with one use is looked at. */
export interface Facts {
  readonly use: "none" | "reserved";
  readonly count: "left" | "none left";
  readonly until: "never" | "later" | "passed";
  readonly request: "open" | "leaving" | "ended" | "gone" | "another of the name";
  readonly source: "there" | "gone" | "another of the name";
  readonly journal:
    | "none"
    | "open"
    | "open by an earlier use"
    | "open by an approval"
    | "complete"
    | "rolled back"
    | "rolled back by an earlier use"
    | "orphaned"
    | "of another policy"
    | "another's, open"
    | "another's, complete"
    | "another's, rolled back";
}

/** A use is reserved, and its transfer is about to begin. */
export const reserved: Facts = {
  use: "reserved",
  count: "left",
  until: "never",
  request: "open",
  source: "there",
  journal: "none",
};

const anything = record<Facts>({
  use: constantFrom("reserved", "reserved", "none"),
  count: constantFrom("left", "none left"),
  until: constantFrom("never", "later", "passed"),
  request: constantFrom<Facts["request"]>("open", "leaving", "ended", "gone", "another of the name"),
  source: constantFrom<Facts["source"]>("there", "gone", "another of the name"),
  journal: constantFrom<Facts["journal"]>(
    "none",
    "open",
    "open by an earlier use",
    "open by an approval",
    "complete",
    "rolled back",
    "rolled back by an earlier use",
    "orphaned",
    "of another policy",
    "another's, open",
    "another's, complete",
    "another's, rolled back",
  ),
});

export function seenSample(count: number): readonly (readonly [Facts, SeenPolicy])[] {
  return sample(anything, { numRuns: count, seed: 17 }).map((facts) => [facts, seenOf(facts)]);
}

export function seenOf(facts: Facts): SeenPolicy {
  const journal = journalOf(facts);
  const watches = watchesOf({
    policies: [policyOf(facts)],
    requests: requestsOf(facts),
    claims: facts.source === "gone" ? [] : [aClaim({ ...theSource, ...(facts.source === "there" ? {} : another) })],
    volumes: [aVolume(journal === undefined ? {} : { journal })],
  });
  const seen = observePolicy(watches, `${place.from}/policy`, { now: noon, reply: undefined });
  if (seen === undefined) throw new Error("a policy that stays is always seen");
  return seen;
}

const another = { uid: "another-uid" };

function policyOf({ use, count, until }: Facts) {
  const times = { later: "2026-11-18T12:00:00Z", passed: "2026-11-16T12:00:00Z" };
  const spec = { count: count === "left" ? 3 : 1, ...(until === "never" ? {} : { until: times[until] }) };
  const uses = use === "reserved" ? [theUse] : [];
  return thePolicy(spec, count === "left" || uses.length > 0 ? uses : [{ ...theUse, requestUID: "x", sourceUID: "x" }]);
}

function requestsOf({ request }: Facts) {
  const ended = { complete: false, completionTime: "2026-11-17T11:59:00Z" };
  const requests = {
    open: [theRequest()],
    leaving: [theRequest(undefined, leaving)],
    ended: [{ ...theRequest(), status: ended }],
    gone: [],
    "another of the name": [theRequest(undefined, another)],
  };
  return requests[request];
}

function journalOf({ journal: is }: Facts): Journal | undefined {
  const earlier: Partial<Journal> = { standing: { name: "policy", uid: "policy-uid", at: "2026-11-17T09:00:00.000Z" } };
  const others: Partial<Journal> = { request: { name: "other", uid: "other-uid" }, id: "other-uid" };
  const journals: Readonly<Record<Facts["journal"], Partial<Journal> | undefined>> = {
    none: undefined,
    open: byPolicy,
    "open by an earlier use": earlier,
    "open by an approval": {},
    complete: { ...byPolicy, ...endedAs("complete") },
    "rolled back": { ...byPolicy, ...endedAs("rolled-back") },
    "rolled back by an earlier use": { ...earlier, ...endedAs("rolled-back") },
    orphaned: { ...byPolicy, ...endedAs("orphaned") },
    "of another policy": { standing: { name: "policy", uid: "another-uid", at: theUse.at }, ...endedAs("complete") },
    "another's, open": others,
    "another's, complete": { ...others, ...endedAs("complete") },
    "another's, rolled back": { ...others, ...endedAs("rolled-back") },
  };
  const found = journals[is];
  return found === undefined ? undefined : aJournal(found);
}
