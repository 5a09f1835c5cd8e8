import { reasons } from "../../api/reasons.ts";
import { explain, planInWords } from "../../runtime/print-table.ts";
import type { Table } from "../../runtime/table.ts";
import { gates } from "../../transfer/proposal/gates.ts";
import { proposed } from "../../transfer/proposal/rules.ts";
import type { Proposed } from "../../transfer/proposal/seen.ts";
import { giving, tableFor, taking, undoing } from "../../transfer/rules.ts";
import type { UnderWay } from "../../transfer/seen.ts";
import type { Unseen } from "../kubectl/eyes.ts";
import { type JudgedRow, judge, judgeGates, known } from "./judge.ts";
import type { Looked } from "./look.ts";
import type { Told } from "./told.ts";

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

export function rulingOnRequest({ seen, assumed }: Looked<Proposed>): Ruling {
  const ruling = rulingBy("a request before its volume is locked", proposed, seen);
  const { closed } = judgeGates(gates, seen);
  const isOpen = ruling.row === undefined || ruling.row === "something is in the way";
  return { ...ruling, assumed, ...(isOpen ? { inTheWay: closed.map(planInWords) } : {}) };
}

export function rulingOnVolume({ seen }: Looked<UnderWay>): Ruling {
  const table = known(() => tableFor(seen));
  if (table.is === "unknown") return { table: "unknown: whether it goes on or back depends on what you may not see" };
  return rulingBy(names.get(table.value) ?? "a volume on its way", table.value, seen);
}

const names = new Map([
  [giving, "a volume that has its source"],
  [taking, "a volume on its way"],
  [undoing, "a volume on its way back"],
]);

export function rulingBy<S extends object, Step extends string>(name: string, table: Table<S, Step>, seen: S): Ruling {
  const { rows, row, plan } = judge(table, seen);
  if (row === undefined || plan === undefined) return { table: name, rows };
  const { next } = explain(table, seen);
  return { table: name, rows, row, plan: planInWords(plan), next };
}

const marks: Readonly<Record<JudgedRow["answer"], string>> = { no: "no ", yes: "YES", unknown: "?  " };

export function explanationText(e: Explanation): string {
  const lines = [
    `${e.object}: ${e.about}`,
    ...(e.told === undefined ? [] : ["", `Portway says: ${toldInWords(e.told)}`]),
    ...(e.table === undefined ? [] : ["", `The table (${e.table}):`]),
    ...(e.rows ?? []).map(
      ({ row, answer, needs }) => `  ${marks[answer]}  ${row}${needs === undefined ? "" : ` (needs ${needs})`}`,
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
