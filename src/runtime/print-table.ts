import { reasons } from "../api/reasons.ts";
import { decide, type Plan, type Table } from "./table.ts";

/** The table as a page of the documentation shows it. */
export function tableInMarkdown<Seen, Step extends string>(title: string, table: Table<Seen, Step>): string {
  const rows = table.map(([says, , then], index) => {
    const what = typeof then === "function" ? "depends on what is seen" : planInWords(then);
    return `| ${index + 1} | ${escaped(says)} | ${escaped(what)} |`;
  });
  return [
    `## ${title}`,
    "",
    "The first row that holds wins.",
    "",
    "| | when | then |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** Which row holds for these objects, which ones were passed over, and what follows. */
export interface Explanation {
  readonly passedOver: readonly string[];
  readonly row: string;
  readonly plan: string;
  readonly next: string;
}

export function explain<Seen, Step extends string>(table: Table<Seen, Step>, seen: Seen): Explanation {
  const { row, plan } = decide(table, seen);
  const passedOver = table
    .slice(
      0,
      table.findIndex(([says]) => says === row),
    )
    .map(([says]) => says);
  return { passedOver, row, plan: planInWords(plan), next: nextOf(plan) };
}

export function planInWords(plan: Plan<string>): string {
  switch (plan.do) {
    case "rest":
      return "nothing is left to do";
    case "wait":
      return `wait: ${wordsOf(plan)}`;
    case "refuse":
      return `refuse: ${wordsOf(plan)}`;
    case "step":
      return plan.step.replaceAll("-", " ");
  }
}

function wordsOf({ why, detail }: Extract<Plan<string>, { readonly do: "wait" | "refuse" }>): string {
  return `${why}. ${detail ?? reasons[why].says}`;
}

function nextOf(plan: Plan<string>): string {
  switch (plan.do) {
    case "rest":
      return reasons.Settled.next;
    case "step":
      return reasons.Working.next;
    case "wait":
    case "refuse":
      return reasons[plan.why].next;
  }
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}
