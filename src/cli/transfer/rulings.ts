import { planInWords } from "../../runtime/print-table.ts";
import { gates } from "../../transfer/proposal/gates.ts";
import { proposed } from "../../transfer/proposal/rules.ts";
import type { Proposed } from "../../transfer/proposal/seen.ts";
import { giving, tableFor, taking, undoing } from "../../transfer/rules.ts";
import type { UnderWay } from "../../transfer/seen.ts";
import { type Ruling, rulingBy } from "../explain/explanation.ts";
import type { Looked } from "../explain/gather.ts";
import { judgeGates, known } from "../explain/judge.ts";

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
