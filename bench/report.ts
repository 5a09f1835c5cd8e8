import type { Errand, Sample } from "./measure.ts";

/** A figure that is taken from every sample of one kind; the median of the rounds counts. */
export interface Figure {
  readonly name: string;
  readonly mode: Errand["mode"];
  readonly of: (sample: Sample) => number;
  /** By the name of the peer. */
  readonly goals: Readonly<Record<string, Goal>>;
}

export interface Goal {
  readonly ratio: "ours/peer" | "peer/ours";
  readonly limit: readonly ["≤" | "≥", number];
  /** When it is given, our own value counts and not the ratio. */
  readonly unit?: string;
  /** The honest paragraph for the page, when the goal is missed, from what this very run has measured. */
  readonly whenShort?: (of: Medians) => string;
}

/** The median of any figure, by the name of a figure and of a contestant. */
export type Medians = (figure: string, contestant: string) => number;

export interface Run {
  readonly contestant: string;
  readonly mode: Errand["mode"];
  readonly sample: Sample;
}

export interface Result {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly ratio: number;
  readonly goal: string;
  readonly met: boolean;
}

export const us = "portway";

/** Every figure of ours beside the same figure of every peer. */
export function resultsOf(figures: readonly Figure[], runs: readonly Run[]): readonly Result[] {
  return figures.flatMap((figure) => peersIn(runs).map((peer) => resultOf(figure, peer, runs)));
}

function resultOf(figure: Figure, peerName: string, runs: readonly Run[]): Result {
  const ours = median(valuesOf(figure, us, runs));
  const peer = median(valuesOf(figure, peerName, runs));
  const goal = figure.goals[peerName];
  const order = goal?.ratio ?? "ours/peer";
  const ratio = order === "ours/peer" ? ours / peer : peer / ours;
  return {
    name: `${figure.name} (${order})`,
    ours: rounded(ours),
    peer: rounded(peer),
    peerName,
    ratio: rounded(ratio),
    goal: goal === undefined ? "none" : limitOf(goal),
    met: goal === undefined || isWithin(goal, goal.unit === undefined ? ratio : ours),
  };
}

/** One row a figure: medians, the lowest and the highest of the rounds, and how the goals stand. */
export function tableOf(figures: readonly Figure[], runs: readonly Run[]): string {
  const names = [us, ...peersIn(runs)];
  const rows = figures.map((figure) => {
    const cells = names.map((name) => cellOf(valuesOf(figure, name, runs)));
    return `| ${[figure.name, ...cells, standingOf(figure, runs)].join(" | ")} |`;
  });
  return [`| | ${names.join(" | ")} | goal |`, `|---|${names.map(() => "---|").join("")}---|`, ...rows].join("\n");
}

function standingOf(figure: Figure, runs: readonly Run[]): string {
  const standings = Object.entries(figure.goals).map(([peer, goal]) => {
    const { ratio, met } = resultOf(figure, peer, runs);
    const word = met ? "met" : "**short**";
    return goal.unit === undefined
      ? `${peer}: ${goal.ratio} ${limitOf(goal)}: ${ratio}, ${word}`
      : `${limitOf(goal)}: ${word}`;
  });
  return standings.join("<br>");
}

/** The paragraphs on what was missed. */
export function shortfallsOf(figures: readonly Figure[], runs: readonly Run[]): readonly string[] {
  const medians: Medians = (name, contestant) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) throw new Error(`there is no figure "${name}"`);
    return rounded(median(valuesOf(figure, contestant, runs)));
  };
  return figures.flatMap((figure) =>
    Object.entries(figure.goals).flatMap(([peer, goal]) => {
      const { met, ratio, ours } = resultOf(figure, peer, runs);
      if (met) return [];
      const value = goal.unit === undefined ? ratio : ours;
      const why = goal.whenShort?.(medians) ?? "The reason is not known yet.";
      return [`**${figure.name}, beside ${peer}: ${value}, wanted ${limitOf(goal)}.** ${why}`];
    }),
  );
}

function peersIn(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.map(({ contestant }) => contestant))].filter((name) => name !== us);
}

function valuesOf({ mode, of }: Figure, contestant: string, runs: readonly Run[]): readonly number[] {
  return runs.filter((run) => run.contestant === contestant && run.mode === mode).map(({ sample }) => of(sample));
}

function cellOf(values: readonly number[]): string {
  return `**${rounded(median(values))}** (${rounded(Math.min(...values))}–${rounded(Math.max(...values))})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  const high = sorted[sorted.length >> 1] ?? Number.NaN;
  return (low + high) / 2;
}

function limitOf({ limit: [sign, number], unit }: Goal): string {
  return `${sign} ${number}${unit === undefined ? "" : ` ${unit}`}`;
}

function isWithin({ limit: [sign, number] }: Goal, value: number): boolean {
  return sign === "≤" ? value <= number : value >= number;
}

/** Three digits: more would pretend that the next run gives the same. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
