import type { Result } from "./report.ts";

/** One figure beside the same of a peer, if there is one, and whether our own value meets its goal. */
export function row(
  name: string,
  ours: number,
  peer: number,
  peerName: string,
  goal?: readonly ["≤" | "≥", number],
): Result {
  const met = goal === undefined || (goal[0] === "≤" ? ours <= goal[1] : ours >= goal[1]);
  return {
    name,
    ours: rounded(ours),
    peer: rounded(peer),
    peerName,
    ratio: rounded(ours / peer),
    goal: goal?.join(" ") ?? "none",
    met,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number.isNaN(value) ? value : Number(value.toPrecision(3));
}
