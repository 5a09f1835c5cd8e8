import type { Swept } from "./sweep/sweep.ts";

/** What `build/faults.json` says. */
export interface Result {
  readonly flows: readonly Row[];
  readonly cases: number;
  readonly violations: number;
}

interface Row {
  readonly flow: string;
  readonly sites: number;
  readonly cases: number;
  readonly violations: number;
  readonly seconds: number;
}

export function resultOf(swept: readonly Swept[]): Result {
  const flows = swept.map(({ flow, sites, cases, violations, seconds }) => {
    return { flow, sites, cases, violations: violations.length, seconds: Math.round(seconds * 10) / 10 };
  });
  const sum = (number: (row: Row) => number) => flows.reduce((total, row) => total + number(row), 0);
  return { flows, cases: sum(({ cases }) => cases), violations: sum(({ violations }) => violations) };
}

const columns = ["flow", "sites", "cases", "violations", "seconds"] as const;

export function tableOf({ flows, cases, violations }: Result): string {
  const total = ["all", "", String(cases), String(violations), ""];
  const lines = [[...columns], ...flows.map((row) => columns.map((name) => String(row[name]))), total];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const cell = (text: string, at: number) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0));
  return lines.map((line) => line.map(cell).join("  ")).join("\n");
}
