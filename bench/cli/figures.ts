import { quantile } from "../goals.ts";
import type { Result } from "../report.ts";
import type { Errand } from "./contestants.ts";
import type { Batch } from "./measure.ts";

export const peerName = "kubectl";
/** A person who types kubectl portway should not notice that it is another program. */
const mostTimesKubectl = 1.2;

/** All batches of one errand, by who did it. */
export interface Measured {
  readonly errand: Errand["name"];
  readonly ours: readonly Batch[];
  readonly theirs: readonly Batch[];
}

export const titles: Readonly<Record<Errand["name"], string>> = {
  start: "a help text",
  status: "what there is, from the cluster",
};

export function resultsOf(all: readonly Measured[]): readonly Result[] {
  return all.flatMap(({ errand, ours, theirs }) => [
    row(`${titles[errand]}, wall ms`, wallOf(ours), wallOf(theirs)),
    row(`${titles[errand]}, CPU ms`, cpuOf(ours), cpuOf(theirs)),
  ]);
}

export function wallOf(batches: readonly Batch[]): number {
  return quantile(
    batches.flatMap(({ wallMilliseconds }) => wallMilliseconds),
    0.5,
  );
}

export function cpuOf(batches: readonly Batch[]): number {
  return quantile(
    batches.map(({ cpuMilliseconds }) => cpuMilliseconds),
    0.5,
  );
}

function row(name: string, ours: number, peer: number): Result {
  const ratio = rounded(ours / peer);
  return {
    name: `cli: ${name} (ours/peer)`,
    ours: rounded(ours),
    peer: rounded(peer),
    peerName,
    ratio,
    goal: `≤ ${mostTimesKubectl}`,
    met: ratio <= mostTimesKubectl,
  };
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
