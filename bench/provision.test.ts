import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { tally, writesIn } from "./provision/calls.ts";
import { type Contestant, callsPerClaim, type Findings, peer, type Run, resultsOf, us } from "./provision/figures.ts";
import { paceOf } from "./provision/measure.ts";
import { sectionOf } from "./provision/section.ts";
import { cpuSecondsIn, memoryIn } from "./provision/sidecar.ts";
import { fullWork, type StageName } from "./provision/work.ts";

const user = "system:serviceaccount:default:csi-provisioner";

function line(verb: string, resource: string, more: object = {}): string {
  const objectRef = { resource, namespace: "default", name: "one", ...("name" in more ? { name: more.name } : {}) };
  const requestReceivedTimestamp = "2026-11-18T10:00:01.500000Z";
  return JSON.stringify({
    verb,
    stage: "ResponseComplete",
    user: { username: user },
    objectRef,
    requestReceivedTimestamp,
    ...more,
  });
}

function tallied(...lines: readonly string[]): Map<string, number> {
  const [second, counts] = [Date.parse("2026-11-18T10:00:01Z"), new Map<string, number>()];
  for (const text of lines) tally(text, user, [{ from: second, to: second + 1000 }], [counts]);
  return counts;
}

test("calls are counted by verb and resource, once each, of this user and in this time", () => {
  const counts = tallied(
    line("create", "persistentvolumes"),
    line("create", "persistentvolumes"),
    line("watch", "persistentvolumes", { stage: "ResponseStarted" }),
    line("create", "persistentvolumes", { user: { username: "admin" } }),
    line("create", "persistentvolumes", { requestReceivedTimestamp: "2026-11-18T10:00:02.000000Z" }),
  );
  deepEqual([...counts], [["create persistentvolumes", 2]]);
});

test("intents are writes; Events, the leader's Lease and reads are none", () => {
  const counts = tallied(
    line("create", "persistentvolumes"),
    line("create", "events"),
    line("update", "leases"),
    line("update", "leases", { name: "fast-intents-0" }),
    line("get", "persistentvolumes"),
  );
  equal(writesIn(counts), 2);
});

test("the pace is from the first claim that was seen to the last that was bound", () => {
  const pace = paceOf([
    { created: 0, asked: 10, written: 100, bound: 500 },
    { created: 400, asked: 420, written: 600, bound: 1000 },
    { created: 500, asked: 520, written: 1100, bound: 2000 },
  ]);
  deepEqual(pace, { boundPerSecond: 1.5, writtenPerSecond: 2, waits: [500, 600, 1500], shares: [90, 180, 580] });
});

test("memory and CPU time are what the kernel says of the process", () => {
  deepEqual(memoryIn("Name:\tnode\nVmHWM:\t  200000 kB\nVmRSS:\t  100000 kB\n"), {
    restMegabytes: 102.4,
    peakMegabytes: 204.8,
  });
  equal(cpuSecondsIn("7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0"), 2);
});

function aRun(stage: StageName, contestant: Contestant, more: Partial<Run> = {}): Run {
  return {
    stage,
    contestant,
    claims: 100,
    boundPerSecond: contestant === us ? 40 : 20,
    writtenPerSecond: 100,
    deletedPerSecond: 30,
    waits: [1],
    shares: [1],
    cpuSeconds: 1,
    deleteCpuSeconds: 1,
    restMegabytes: 100,
    peakMegabytes: 100,
    making: new Map([["create persistentvolumes", 100]]),
    deleting: new Map([["get persistentvolumes", contestant === us ? 100 : 0]]),
    ...more,
  };
}

function found(more: Partial<Findings> = {}): Findings {
  const both = [us, peer] as const;
  const memory = { restMegabytes: 100, peakMegabytes: 100 };
  return {
    runs: fullWork.stages.flatMap(({ name }) => both.map((contestant) => aRun(name, contestant))),
    alone: { [us]: [1], [peer]: [1] },
    held: { afterMaking: memory, fresh: { [us]: memory, [peer]: memory } },
    heldClaims: 10_000,
    ...more,
  };
}

test("rates are wanted in times theirs; memory and writes by our own value as well", () => {
  const heavy = { restMegabytes: 121, peakMegabytes: 121 };
  const { held } = found();
  const short = (findings: Findings) => resultsOf(findings).flatMap(({ name, met }) => (met ? [] : [name]));
  deepEqual(short(found()), ["provision: shipped defaults: claims Bound/s"]);
  const writes = new Map([["create persistentvolumes", 301]]);
  const runs = [...found().runs.filter(({ stage }) => stage !== "50 ms"), aRun("50 ms", us, { making: writes })];
  deepEqual(short(found({ runs, held: { ...held, fresh: { [us]: heavy, [peer]: heavy } } })), [
    "provision: 50 ms: writes for each claim made",
    "provision: shipped defaults: claims Bound/s",
    "provision: 10,000 claims held: memory, MB",
  ]);
});

test("a figure is the median of its rounds", () => {
  const rounds = [10, 900, 30].map((boundPerSecond) => aRun("0 ms", us, { boundPerSecond }));
  const row = resultsOf(found({ runs: [...rounds, aRun("0 ms", peer)] })).find(({ name }) =>
    name.includes("0 ms: claims Bound/s"),
  );
  deepEqual([row?.ours, row?.peer, row?.ratio], [30, 20, 1.5]);
});

test("calls that only one of them makes are shown for both", () => {
  deepEqual(callsPerClaim(found().runs, "0 ms", "deleting"), [["get persistentvolumes", 1, 0]]);
});

test("what is missed is said, and nothing else is", () => {
  const findings = found();
  const results = resultsOf(findings);
  const versions = { peer: "5.1.0", hostPath: "1.7.2" };
  const page = { results, findings, work: fullWork, loads: [0.1, 1] as const, versions };
  match(
    sectionOf(page),
    /\*\*Short of the goal: shipped defaults: claims Bound\/s: 2 × theirs, wanted ≥ 10 × theirs\.\*\*/,
  );
  match(sectionOf(page), /^\| deleting: get persistentvolumes \| 1 \| 0 \|$/m);
  doesNotMatch(sectionOf({ ...page, results: results.map((one) => ({ ...one, met: true })) }), /Short of the goal/);
});
