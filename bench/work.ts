import { misuse } from "../src/api/failure.ts";
import type { Contestant } from "./contestants.ts";
import { type Errand, measure } from "./measure.ts";
import type { Run } from "./report.ts";

/** How much is measured. */
export interface Work {
  /** Claims, and as many volumes. */
  readonly objects: number;
  readonly requests: number;
  /** How often the claims are streamed in one measurement. */
  readonly passes: number;
  readonly rounds: number;
  readonly starts: number;
}

export const fullWork: Work = { objects: 10_000, requests: 4000, passes: 3, rounds: 5, starts: 10 };

export function numberOf(words: string): number {
  const number = Number(words);
  if (Number.isInteger(number) && number > 0) return number;
  throw misuse(`"${words}" is no number of anything`, "Give a whole number above 0.");
}

export interface Track {
  readonly contestants: readonly Contestant[];
  readonly kubeconfig: string;
  readonly claim: string;
  readonly server: number;
  readonly stop: AbortSignal;
  readonly onProgress: (what: string) => void;
}

/** All contestants in turn, round after round: what disturbs the machine for a while disturbs them alike. */
export async function runAll(work: Work, track: Track): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const { mode, count, expected, rounds } of errandsOf(work)) {
    for (let round = 0; round < rounds; round++) {
      for (const contestant of rotated(track.contestants, round)) {
        track.onProgress(`${mode}, round ${round + 1} of ${rounds}: ${contestant.name}`);
        const { kubeconfig, claim, server, stop } = track;
        const sample = await measure(contestant, { mode, kubeconfig, claim, server, count, expected }, stop);
        runs.push({ contestant: contestant.name, mode, sample });
      }
    }
  }
  return runs;
}

function errandsOf(work: Work): readonly (Pick<Errand, "mode" | "count" | "expected"> & { readonly rounds: number })[] {
  const { objects, requests, passes, rounds, starts } = work;
  return [
    { mode: "sync", count: 1, expected: 2 * objects, rounds },
    { mode: "get", count: requests, expected: requests, rounds },
    { mode: "watch", count: passes, expected: passes * objects, rounds },
    { mode: "start", count: 1, expected: 1, rounds: starts },
  ];
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
