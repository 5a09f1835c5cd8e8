import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { defined } from "../../../src/api/defined.ts";
import { until } from "../../fixture/portway.ts";
import { brokenIn, globalRules, inWords } from "../order.ts";
import type { WriteRecord } from "../proxy/write-record.ts";
import { counted, isStored, overspent } from "./budget.ts";
import { type ArmedCase, type Case, placeOf } from "./case.ts";
import type { Flow, Stage } from "./flow.ts";

/** What one run through a flow left behind. */
export interface Run {
  readonly picture: unknown;
  readonly writes: readonly WriteRecord[];
}

/** The run that others are compared with, and what the process watches when it is awake. */
export interface Reference extends Run {
  readonly watches: readonly string[];
}

interface Judged {
  readonly run: Run;
  /** One sentence each. */
  readonly violations: readonly string[];
}

const quietMilliseconds = 250;
const restMilliseconds = 5000;
const steadyMilliseconds = 500;
const longestReachMilliseconds = 20_000;

/** A run without any fault: what all others are compared with. With `rests`, it is watched for a while when it is over. */
export async function referenceRun<World>(
  flow: Flow<World>,
  stage: Stage,
  { rests = false }: { readonly rests?: boolean } = {},
): Promise<Reference> {
  const watches = await steadyWatches(stage);
  const { run, violations } = await onceThrough(flow, stage, rests ? restMilliseconds : 0);
  if (violations.length > 0)
    throw new Error(`${flow.name} breaks its rules without any fault:\n${violations.join("\n")}`);
  const writes = counted(run.writes, flow.mayRepeat).length;
  if (writes !== flow.budget) {
    throw new Error(
      `G6 ${flow.name} takes ${writes} writes, not ${flow.budget}:\n${run.writes.map(inWords).join("\n")}`,
    );
  }
  return { ...run, watches };
}

/** The kinds it watches all the time, once it has begun. */
async function steadyWatches({ proxy }: Stage): Promise<readonly string[]> {
  const watched = () => {
    const kinds = new Set(proxy.reads().flatMap(({ verb, resource }) => (verb === "watch" ? [resource] : [])));
    return [...kinds].filter((kind) => proxy.watching(kind) > 0);
  };
  let before: readonly string[] = [];
  await until("it watches", async () => {
    before = watched();
    await sleep(steadyMilliseconds);
    return before.length > 0 && isDeepStrictEqual(before, watched());
  });
  return before;
}

/** One sentence a rule that was broken; none when the fault has changed nothing that counts. */
export async function runCase<World>(
  flow: Flow<World>,
  stage: Stage,
  one: Case,
  reference: Reference,
): Promise<readonly string[]> {
  const { proxy, subject } = stage;
  const before = subject.crashes;
  let armed: ArmedCase | undefined;
  try {
    // The last case may have closed its eyes, and what it does not see yet is not what this case is about.
    await until("it is awake", () => reference.watches.every((kind) => proxy.watching(kind) > 0));
    armed = one.arm(stage);
    const { run, violations } = await onceThrough(flow, stage);
    return [
      ...violations,
      ...((await isReached(armed)) || isShorter(flow, run, reference) ? [] : ["the planned place was never reached"]),
      ...(await (armed.judge?.() ?? [])),
      ...(subject.crashes === before || one.endsIt === true
        ? []
        : ["the process ended by itself", subject.lastWords()]),
      ...overspent(run.writes, reference.writes, {
        ...one,
        ...defined({ mayRepeat: flow.mayRepeat, afterDoubt: flow.afterDoubt }),
      }),
      ...(one.refuses !== true || flow.mendsRefusals === true ? differences(run, reference, one) : []),
    ];
  } catch (problem) {
    return [problem instanceof Error ? problem.message : String(problem), subject.lastWords()];
  } finally {
    armed?.disarm();
  }
}

/** Somebody else was faster, and a write that may repeat was not needed at all: there was nothing to break any more. */
function isShorter<World>({ mayRepeat }: Flow<World>, run: Run, reference: Run): boolean {
  const stored = ({ writes }: Run) => counted(writes, mayRepeat).filter(isStored).length;
  return mayRepeat !== undefined && stored(run) < stored(reference);
}

async function onceThrough<World>(flow: Flow<World>, stage: Stage, rest = 0): Promise<Judged> {
  const { proxy, monitor, past } = stage;
  monitor.forget();
  const [mark, seen, reads] = [proxy.mark(), monitor.violations().length, proxy.refusals().length];
  const world = await flow.begin(stage);
  try {
    const written = () => proxy.since(mark).filter((write) => !write.upkeep && !past.has(placeOf(write)));
    const said = () => written().map(inWords).join(", ") || "nothing";
    await until(`${flow.name} settles`, () => flow.isSettled(world, stage)).catch(async (problem: unknown) => {
      const picture = await flow.picture(world, stage).then(JSON.stringify, String);
      throw new Error(`${String(problem)}; it wrote ${said()}, and there is ${picture}`, { cause: problem });
    });
    await proxy.quiet(quietMilliseconds);
    await monitor.caughtUp();
    const writes = written();
    const refusals = () => proxy.refusals().slice(reads);
    const order = brokenIn(writes, [...flow.orderRules, ...globalRules({ refusals })]);
    const broken = [...monitor.violations().slice(seen), ...order];
    const picture = await flow.picture(world, stage).catch((problem: unknown) => {
      throw new Error(`${String(problem)}; it wrote ${said()}`, { cause: problem });
    });
    const run = { picture, writes };
    const restless = rest === 0 ? [] : await writesAtRest(stage, rest);
    return { run, violations: [...broken.map(({ rule, why }) => `${rule.id} ${rule.says}: ${why}`), ...restless] };
  } finally {
    // Whatever came of it, the next case must not meet it.
    for (const word of Object.values(world as object)) if (typeof word === "string") past.add(word);
    await flow.clear(world, stage);
  }
}

/** G6: a flow that has come to its end writes nothing any more but its Lease. */
async function writesAtRest({ proxy }: Stage, milliseconds: number): Promise<readonly string[]> {
  if (milliseconds > 0) await untilAllIsTold(proxy);
  const writes = await writesWithin(proxy, milliseconds);
  return writes.map((write) => `G6 nothing is written at rest: ${inWords(write)}`);
}

/** Events wait in a line of their own, and no step waits for them: a busy server takes the last ones after the end. */
async function untilAllIsTold(proxy: Stage["proxy"]): Promise<void> {
  const deadline = performance.now() + longestReachMilliseconds;
  while (performance.now() < deadline) if ((await writesWithin(proxy, 1000)).length === 0) return;
}

async function writesWithin(proxy: Stage["proxy"], milliseconds: number): Promise<readonly WriteRecord[]> {
  const mark = proxy.mark();
  await sleep(milliseconds);
  return proxy.since(mark).filter(({ resource, upkeep }) => !upkeep || resource !== "leases");
}

/** What is written beside the flow may come a moment after its end. */
async function isReached({ fired }: ArmedCase): Promise<boolean> {
  const deadline = performance.now() + longestReachMilliseconds;
  while (!fired() && performance.now() < deadline) await sleep(20);
  return fired();
}

function differences(run: Run, reference: Run, { strays }: Pick<Case, "strays">): readonly string[] {
  const counts = appliedCounts(run.writes);
  const expected = appliedCounts(reference.writes);
  return [
    ...(isDeepStrictEqual(run.picture, reference.picture)
      ? []
      : [`G8 the end is another one: ${JSON.stringify(run.picture)} instead of ${JSON.stringify(reference.picture)}`]),
    ...(strays === true || isDeepStrictEqual(counts, expected)
      ? []
      : [`G8 other creates and deletes: ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`]),
  ];
}

/** How often each kind was really created and deleted; an object is deleted once, however often that is said. */
export function appliedCounts(writes: readonly WriteRecord[]): Readonly<Record<string, number>> {
  const applied = writes.filter((write) => isStored(write) && (write.verb === "create" || write.verb === "delete"));
  const isRepeated = ({ verb, preconditions: { uid } }: WriteRecord, at: number) =>
    verb === "delete" &&
    uid !== undefined &&
    applied.findIndex((write) => write.verb === "delete" && write.preconditions.uid === uid) < at;
  const inVain = removedAgain(applied);
  const counts: Record<string, number> = {};
  for (const [at, write] of applied.entries()) {
    if (isRepeated(write, at) || inVain.has(uidOf(write))) continue;
    const what = `${write.verb} ${write.resource}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** What the fault had stored when nobody waited for it any more, and what was then taken away: as if it had never come. */
function removedAgain(applied: readonly WriteRecord[]): ReadonlySet<string> {
  const late = applied.filter(({ verb, fault }) => verb === "create" && fault?.kind.startsWith("late-") === true);
  const removed = new Set(applied.filter(({ verb }) => verb === "delete").map(uidOf));
  return new Set(late.map(uidOf).filter((uid) => uid !== "" && removed.has(uid)));
}

function uidOf({ verb, preconditions, answer }: WriteRecord): string {
  return (verb === "delete" ? preconditions.uid : answer?.metadata.uid) ?? "";
}
