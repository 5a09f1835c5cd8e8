import { defined } from "../../api/defined.ts";
import { reasons } from "../../api/reasons.ts";
import { explain, planInWords } from "../../runtime/print-table.ts";
import type { Table } from "../../runtime/table.ts";
import type { Unseen } from "../kubectl/eyes.ts";
import type { Told } from "../text/told.ts";
import { type JudgedRow, judge } from "./judge.ts";

/** Which row of which table holds, which were passed over, what follows, and what could not be seen. */
export interface Explanation {
  readonly object: string;
  readonly about: string;
  readonly told?: Told;
  readonly table?: string;
  readonly rows?: readonly JudgedRow[];
  readonly row?: string;
  readonly plan?: string;
  readonly next?: string;
  /** Everything that stands in the way, not only the first. */
  readonly inTheWay?: readonly string[];
  readonly assumed?: readonly string[];
  readonly unseen: readonly Unseen[];
}

/** Which table spoke, and what it says. */
export type Ruling = Omit<Explanation, "object" | "about" | "told" | "unseen">;

export function rulingBy<S extends object, Step extends string>(name: string, table: Table<S, Step>, seen: S): Ruling {
  const { rows, row, plan } = judge(table, seen);
  if (row === undefined || plan === undefined) return { table: name, rows, ...defined({ row }) };
  const { next } = explain(table, seen);
  return { table: name, rows, row, plan: planInWords(plan), next };
}

/** Below something hidden, a row may be true and yet not the one that holds: that is only a small yes. */
function markOf({ row, answer }: JudgedRow, holds: string | undefined): string {
  if (answer === "unknown") return "?  ";
  if (answer === "no") return "no ";
  return row === holds ? "YES" : "yes";
}

export function explanationText(e: Explanation): string {
  const lines = [
    `${e.object}: ${e.about}`,
    ...(e.told === undefined ? [] : ["", `Portway says: ${toldInWords(e.told)}`]),
    ...(e.table === undefined ? [] : ["", `The table (${e.table}):`]),
    ...(e.rows ?? []).map(
      (one) => `  ${markOf(one, e.row)}  ${one.row}${one.needs === undefined ? "" : ` (needs ${one.needs})`}`,
    ),
    ...list("In the way:", e.inTheWay),
    ...(e.plan === undefined ? [] : ["", `What follows: ${e.plan}`]),
    ...(e.next === undefined ? [] : [`What to do: ${e.next}`]),
    ...list("Taken for granted:", e.assumed),
    ...list(
      "Could not be seen:",
      e.unseen.map(({ what, why }) => `${what}: ${why}`),
    ),
  ];
  return lines.join("\n");
}

function list(title: string, items: readonly string[] = []): readonly string[] {
  return items.length === 0 ? [] : ["", title, ...items.map((item) => `  - ${item}`)];
}

function toldInWords({ phase, reason, message }: Told): string {
  if (phase === "New") return "nothing yet";
  const words = message === "" && reason in reasons ? reasons[reason as keyof typeof reasons].says : message;
  return `${phase}, ${reason}. ${words}`;
}
