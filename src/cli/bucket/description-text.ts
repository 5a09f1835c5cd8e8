import type { Condition } from "../../api/gen/meta.ts";
import { ageOf } from "../text/age.ts";
import { inColumns } from "../text/columns.ts";
import type { Description } from "./describe.ts";
import { accessInWords, beginningInWords, endInWords } from "./terms.ts";

const unknown = "unknown";

export function descriptionText(d: Description, now: Date): string {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["class", d.class],
    ["phase", `${d.phase}: ${d.message}`],
    ["age", ageOf(d.created, now)],
    ["bucket", d.bucket.name ?? unknown],
    [
      "endpoint",
      `${d.bucket.endpoint ?? unknown}${d.bucket.region === undefined ? "" : `, region ${d.bucket.region}`}`,
    ],
    ["secret", `${d.secret.name}: ${d.secret.state}`],
    ["content", d.content ?? "none yet"],
    ["what it is", d.terms === undefined ? unknown : beginningInWords(d.terms)],
    ["access", d.terms === undefined ? unknown : accessInWords(d.terms)],
    ["at its end", d.terms === undefined ? unknown : endInWords(d.terms)],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    d.object,
    ...facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...list("Conditions:", d.conditions.map(conditionInWords)),
    "",
    `What to do: ${d.next}`,
    ...eventsIn(d, now),
    ...list(
      "Could not be seen:",
      d.unseen.map(({ what, why }) => `${what}: ${why}`),
    ),
  ].join("\n");
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", title, ...items.map((item) => `  - ${item}`)];
}

function conditionInWords({ type, status, message }: Condition): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return `${words}: ${status === "True" ? "yes" : "no"}. ${message}`;
}

function eventsIn({ events }: Description, now: Date): readonly string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ at, type, reason, message }) => [ageOf(at, now), type, reason, message]);
  return ["", inColumns(["LAST SEEN", "TYPE", "REASON", "MESSAGE"], rows)];
}
