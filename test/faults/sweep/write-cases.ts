import type { Fault } from "../proxy/faults.ts";
import { atWrite, type Case, countTo, siteOf } from "./case.ts";

const short: readonly Fault[] = [{ kind: "kill-before" }, { kind: "kill-after" }, { kind: "lose-reply" }];

const long: readonly Fault[] = [
  { kind: "answer", code: 409 },
  { kind: "answer", code: 429, retryAfterSeconds: 1 },
  { kind: "answer", code: 500 },
  { kind: "answer", code: 503 },
  { kind: "answer", code: 403 },
  { kind: "answer", code: 422 },
  { kind: "applied-then-500" },
  { kind: "timeout" },
  { kind: "applied-then-timeout" },
  { kind: "slow", milliseconds: 300 },
];

export function shortCases(sites: number): readonly Case[] {
  return countTo(sites).flatMap((n) => short.map((fault) => atWrite(n, fault)));
}

export function longCases(sites: number): readonly Case[] {
  return countTo(sites).flatMap((n) => long.map((fault) => atWrite(n, fault)));
}

/** Up to here every pair is tried; of longer flows, those that begin at every site and end soon, in the middle or last. */
const mostSitesForAllPairs = 8;

/** The process dies before a write, and again while it recovers, after a later one that it never hears of. */
export function crashPairs(sites: number): readonly Case[] {
  return countTo(sites).flatMap((first) => {
    const left = sites - first + 1;
    const seconds = sites <= mostSitesForAllPairs ? countTo(left) : [...new Set([1, Math.ceil(left / 2), left])];
    return seconds.map((second) => pairOf(first, second));
  });
}

function pairOf(first: number, second: number): Case {
  return {
    says: `killed before write ${first}, and after the ${second}. write that follows`,
    explains: 1,
    arm(stage) {
      const { proxy, subject } = stage;
      const kill = () => subject.killed();
      const one = proxy.arm({ site: siteOf(first, stage), fault: { kind: "kill-before" }, kill });
      // Counted from the beginning: the write that was not sent on is one of them.
      const two = proxy.arm({ site: siteOf(first + second, stage), fault: { kind: "kill-after" }, kill });
      return { fired: () => one.fired() && two.fired(), disarm: () => (one.disarm(), two.disarm()) };
    },
  };
}

const ofLeases = { resource: "leases", says: "of the Lease" };
const ofEvents = { resource: "events", says: "of the Event" };

/** Leases and Events are no sites, because they come when they come; the first one of a run is broken all the same. */
export function upkeepCases(): readonly Case[] {
  return [
    atUpkeep(ofLeases, { kind: "kill-before" }),
    atUpkeep(ofLeases, { kind: "kill-after" }),
    atUpkeep(ofLeases, { kind: "lose-reply" }),
    atUpkeep(ofLeases, { kind: "answer", code: 409 }),
    atUpkeep(ofLeases, { kind: "answer", code: 500 }),
    atUpkeep(ofEvents, { kind: "answer", code: 403 }),
    atUpkeep(ofEvents, { kind: "lose-reply" }),
  ];
}

function atUpkeep({ resource, says }: typeof ofLeases, fault: Fault): Case {
  const code = fault.kind === "answer" ? ` ${fault.code}` : "";
  return {
    says: `${fault.kind}${code} at the first write ${says}`,
    arm({ proxy, subject }) {
      const kill = () => subject.killed();
      const site = (write: { readonly resource: string }) => write.resource === resource;
      const armed = proxy.arm({ site, fault, kill, upkeep: true });
      // It writes its Lease first of all when it begins.
      if (resource === "leases") void subject.killed();
      return armed;
    },
  };
}
