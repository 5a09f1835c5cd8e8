import { quantile } from "../goals.ts";
import type { Result } from "../report.ts";
import { type Calls, sumOf, writesIn } from "./calls.ts";
import type { Held } from "./measure.ts";
import type { Memory } from "./sidecar.ts";
import type { StageName } from "./work.ts";

export const us = "portway";
export const peer = "external-provisioner";
export type Contestant = typeof us | typeof peer;

/** What one stage took one program, once. */
export interface Run extends Memory {
  readonly stage: StageName;
  readonly contestant: Contestant;
  readonly claims: number;
  /** From the first claim that was seen to the last that was bound. */
  readonly boundPerSecond: number;
  /** From the first volume that was seen to the last. */
  readonly writtenPerSecond: number;
  /** From the first delete that was sent to the last volume that was gone. */
  readonly deletedPerSecond: number;
  /** Of each claim, in milliseconds: from its creation until it is bound. */
  readonly waits: readonly number[];
  /** The part of it that is the program's: from the binder's wish to the volume. */
  readonly shares: readonly number[];
  readonly cpuSeconds: number;
  readonly deleteCpuSeconds: number;
  readonly making: Calls;
  readonly deleting: Calls;
}

export interface Findings {
  readonly runs: readonly Run[];
  /** Milliseconds of claims that were made one after another. */
  readonly alone: Readonly<Record<Contestant, readonly number[]>>;
  readonly held: Held;
  readonly heldClaims: number;
}

type Limit = readonly ["≤" | "≥", number];
/** What is wanted: of our own value, or of how often theirs it is. */
type Goal = { readonly own: Limit } | { readonly times: Limit } | { readonly own: Limit; readonly times: Limit };

interface Figure {
  readonly name: string;
  readonly of: (run: Run) => number;
}

const boundRate: Figure = { name: "claims Bound/s", of: ({ boundPerSecond }) => boundPerSecond };
const writtenRate: Figure = { name: "volumes written/s", of: ({ writtenPerSecond }) => writtenPerSecond };
const deleteRate: Figure = { name: "deletes/s", of: ({ deletedPerSecond }) => deletedPerSecond };
const inAll: readonly Figure[] = [
  { name: "created to Bound, p50 ms", of: ({ waits }) => quantile(waits, 0.5) },
  { name: "created to Bound, p99 ms", of: ({ waits }) => quantile(waits, 0.99) },
  { name: "the sidecar's share of it, p50 ms", of: ({ shares }) => quantile(shares, 0.5) },
];
const cost: readonly Figure[] = [
  { name: "CPU ms for each claim made", of: ({ cpuSeconds, claims }) => (cpuSeconds / claims) * 1000 },
  { name: "CPU ms for each deleted", of: ({ deleteCpuSeconds, claims }) => (deleteCpuSeconds / claims) * 1000 },
  { name: "memory after making them, MB", of: ({ restMegabytes }) => restMegabytes },
  { name: "memory at its peak, MB", of: ({ peakMegabytes }) => peakMegabytes },
];
const writes: Figure = { name: "writes for each claim made", of: ({ making, claims }) => writesIn(making) / claims };
const counted: readonly Figure[] = [
  { name: "Events for each claim made", of: ({ making, claims }) => eventsIn(making) / claims },
  { name: "writes for each deleted", of: ({ deleting, claims }) => writesIn(deleting) / claims },
];

const most: Goal = { own: ["≤", 3] };

/** Which figures each stage gives, in order. */
const plan: readonly (readonly [StageName, readonly (readonly [Figure, Goal?])[]])[] = [
  ["host-path", [[boundRate, { times: ["≥", 1] }], [deleteRate], ...plain(inAll), ...plain(cost), [writes, most]]],
  [
    "0 ms",
    [
      [boundRate, { times: ["≥", 1.3] }],
      [deleteRate],
      ...plain(inAll),
      ...plain(cost),
      [writes, most],
      ...plain(counted),
    ],
  ],
  ["50 ms", [[boundRate], [deleteRate], ...plain(inAll), ...plain(cost), [writes, most]]],
  ["backlog at 0 ms", [[writtenRate], [boundRate], ...plain(cost.slice(0, 1))]],
  ["shipped defaults", [[boundRate, { times: ["≥", 10] }], [deleteRate], ...plain(inAll), [writes, most]]],
];

function plain(figures: readonly Figure[]): readonly (readonly [Figure])[] {
  return figures.map((figure) => [figure] as const);
}

/** Each figure of ours beside theirs, the median of the rounds, and whether the goal is met. */
export function resultsOf({ runs, alone, held, heldClaims }: Findings): readonly Result[] {
  const median = (stage: StageName, { of }: Figure, contestant: Contestant) =>
    quantile(runs.filter((run) => run.stage === stage && run.contestant === contestant).map(of), 0.5);
  const ofStages = plan.flatMap(([stage, figures]) =>
    figures.map(([figure, goal]) =>
      row(`${stage}: ${figure.name}`, median(stage, figure, us), median(stage, figure, peer), goal),
    ),
  );
  const among = `${heldClaims.toLocaleString("en")} claims held`;
  const fresh = (field: keyof Memory, contestant: Contestant) => held.fresh[contestant][field];
  return [
    ...ofStages,
    row("one claim alone: created to Bound, p50 ms", quantile(alone[us], 0.5), quantile(alone[peer], 0.5)),
    row(`${among}: memory, MB`, fresh("restMegabytes", us), fresh("restMegabytes", peer), {
      own: ["≤", 120],
      times: ["≤", 1],
    }),
    row(`${among}: memory at its peak, MB`, fresh("peakMegabytes", us), fresh("peakMegabytes", peer)),
    row(`${among}: memory of who made them all, MB`, held.afterMaking.restMegabytes, Number.NaN),
  ];
}

function row(name: string, ours: number, theirs: number, goal?: Goal): Result {
  const ratio = rounded(ours / theirs);
  const wanted = goal === undefined ? [] : limitsOf(goal, rounded(ours), ratio);
  return {
    name: `provision: ${name}`,
    ours: rounded(ours),
    peer: rounded(theirs),
    peerName: peer,
    ratio,
    goal: wanted.length === 0 ? "none" : wanted.map(({ words }) => words).join(", "),
    met: wanted.every(({ holds }) => holds),
  };
}

function limitsOf(goal: Goal, ours: number, ratio: number) {
  return [
    ...("own" in goal ? [{ words: goal.own.join(" "), holds: isWithin(goal.own, ours) }] : []),
    ...("times" in goal ? [{ words: `${goal.times.join(" ")} × theirs`, holds: isWithin(goal.times, ratio) }] : []),
  ];
}

function isWithin([sign, limit]: Limit, value: number): boolean {
  return sign === "≤" ? value <= limit : value >= limit;
}

function eventsIn(calls: Calls): number {
  return sumOf(calls, (verb, resource) => resource === "events" && verb !== "list");
}

/** All calls of a stage for each of its claims, by verb and resource: ours and theirs, whatever either makes. */
export function callsPerClaim(
  runs: readonly Run[],
  stage: StageName,
  of: "making" | "deleting",
): readonly (readonly [kind: string, ours: number, theirs: number])[] {
  const mean = (contestant: Contestant, kind: string) => {
    const all = runs.filter((run) => run.stage === stage && run.contestant === contestant);
    const claims = all.reduce((sum, run) => sum + run.claims, 0);
    return rounded(all.reduce((sum, run) => sum + (run[of].get(kind) ?? 0), 0) / claims);
  };
  const kinds = new Set(runs.filter((run) => run.stage === stage).flatMap((run) => [...run[of].keys()]));
  return [...kinds]
    .map((kind) => [kind, mean(us, kind), mean(peer, kind)] as const)
    .filter(([, ours, theirs]) => Math.max(ours, theirs) >= least)
    .toSorted((a, b) => b[1] + b[2] - a[1] - a[2]);
}

/** What comes by the clock is not the claims'. */
const least = 0.05;

export function rounded(value: number): number {
  return Number.isNaN(value) ? value : Number(value.toPrecision(3));
}
