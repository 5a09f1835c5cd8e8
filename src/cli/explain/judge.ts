import type { Table } from "../../runtime/table.ts";
import { type Plan, Unforeseen } from "../../runtime/table.ts";

/** What a decision needs and this person may not see: the field, and the words for it. */
export type Hidden = ReadonlyMap<string, string>;

export interface JudgedRow {
  readonly row: string;
  readonly answer: "no" | "yes" | "unknown";
  /** What would have to be seen to know. */
  readonly needs?: string;
}

export interface Judgement<Step extends string> {
  /** Up to the row that holds. */
  readonly rows: readonly JudgedRow[];
  /** The row that holds; absent when one above it could hold as well. */
  readonly row?: string;
  readonly plan?: Plan<Step>;
}

class NotSeen extends Error {
  override readonly name = "NotSeen";
}

/** What is hidden cannot be read, so that no rule takes "not seen" for "not there". */
export function veiled<S extends object>(seen: S, hidden: Hidden): S {
  return new Proxy(seen, {
    get(object, field) {
      const needs = hidden.get(String(field));
      if (needs !== undefined) throw new NotSeen(needs);
      return Reflect.get(object, field) as unknown;
    },
  });
}

export type Verdict<T> =
  | { readonly is: "known"; readonly value: T }
  | { readonly is: "unknown"; readonly needs: string };

export function known<T>(ask: () => T): Verdict<T> {
  try {
    return { is: "known", value: ask() };
  } catch (problem) {
    if (problem instanceof NotSeen) return { is: "unknown", needs: problem.message };
    throw problem;
  }
}

/** The engine's own table, row by row, on what may be seen. */
export function judge<S extends object, Step extends string>(table: Table<S, Step>, seen: S): Judgement<Step> {
  const rows: JudgedRow[] = [];
  for (const [row, holds, then] of table) {
    const verdict = known(() => holds(seen));
    if (verdict.is === "unknown") rows.push({ row, answer: "unknown", needs: verdict.needs });
    else rows.push({ row, answer: verdict.value ? "yes" : "no" });
    if (verdict.is === "unknown" || !verdict.value) continue;
    if (rows.some(({ answer }) => answer === "unknown")) return { rows };
    const plan = known(() => (typeof then === "function" ? then(seen) : then));
    return plan.is === "known" ? { rows, row, plan: plan.value } : { rows, row };
  }
  if (rows.some(({ answer }) => answer === "unknown")) return { rows };
  throw new Unforeseen("no row of the table holds for what is seen");
}

export interface JudgedGates {
  readonly closed: readonly Plan<never>[];
  /** What the gates need that could not be judged. */
  readonly unknown: readonly string[];
}

/** All gates and not only the first closed one: a person wants to clear the whole way at once. */
export function judgeGates<S>(gates: readonly ((seen: S) => Plan<never> | undefined)[], seen: S): JudgedGates {
  const verdicts = gates.map((gate) => known(() => gate(seen)));
  const closed = verdicts.flatMap((one) => (one.is === "known" && one.value !== undefined ? [one.value] : []));
  return { closed, unknown: [...new Set(verdicts.flatMap((one) => (one.is === "unknown" ? [one.needs] : [])))] };
}
