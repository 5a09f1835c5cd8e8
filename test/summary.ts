/** What node:test counts. */
export interface Counts {
  readonly tests: number;
  readonly suites: number;
  readonly pass: number;
  readonly fail: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

export const none: Counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

const names = Object.keys(none) as readonly (keyof Counts)[];

export function plus(a: Counts, b: Counts): Counts {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<keyof Counts, number>;
}

type Summary = Omit<Counts, "pass" | "fail"> & { readonly passed: number };

/** node:test counts every test once; what it does not name has failed. */
export function countsOf({ tests, suites, passed, cancelled, skipped, todo }: Summary): Counts {
  return { tests, suites, pass: passed, fail: tests - passed - cancelled - skipped - todo, cancelled, skipped, todo };
}

/** The closing lines of node:test, over several runs. */
export function summaryOf(counts: Counts, milliseconds: number): string {
  return [...names.map((name) => `ℹ ${name} ${counts[name]}`), `ℹ duration_ms ${milliseconds.toFixed(0)}`].join("\n");
}
