import { misuse } from "../../api/failure.ts";
import type { LabelSelector, LabelSelectorRequirement } from "../../api/gen/meta.ts";

const key = String.raw`(?<key>[A-Za-z0-9][\w./-]*)`;
const forms: readonly (readonly [form: RegExp, operator: string])[] = [
  [new RegExp(String.raw`^${key}\s+in\s+\((?<values>[^()]*)\)$`), "In"],
  [new RegExp(String.raw`^${key}\s+notin\s+\((?<values>[^()]*)\)$`), "NotIn"],
  [new RegExp(String.raw`^${key}\s*==?\s*(?<values>[\w.-]*)$`), "In"],
  [new RegExp(String.raw`^${key}\s*!=\s*(?<values>[\w.-]*)$`), "NotIn"],
  [new RegExp(`^${key}$`), "Exists"],
  [new RegExp(String.raw`^!\s*${key}$`), "DoesNotExist"],
];

/** As kubectl reads it: `team=b,tier in (gold,silver),!old`. */
export function selectorOf(text: string, flag: string): LabelSelector {
  // A comma within brackets divides values, not demands.
  const demands = text.split(/,(?![^(]*\))/).map((one) => demandIn(one.trim(), text, flag));
  return { matchExpressions: demands };
}

function demandIn(text: string, whole: string, flag: string): LabelSelectorRequirement {
  for (const [form, operator] of forms) {
    const found = form.exec(text)?.groups;
    if (found?.["key"] === undefined) continue;
    const values = found["values"]?.split(",").map((value) => value.trim());
    return { key: found["key"], operator, ...(values === undefined ? {} : { values }) };
  }
  throw misuse(`${flag} is no selector: "${whole}"`, "Write it like team=b,tier in (gold,silver),!old.");
}

/** The same in words that the flag would take. */
export function selectorInWords({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`);
  return [...labels, ...matchExpressions.map(demandInWords)].join(",");
}

function demandInWords({ key: name, operator, values = [] }: LabelSelectorRequirement): string {
  if (operator === "Exists") return name;
  if (operator === "DoesNotExist") return `!${name}`;
  const [only, ...more] = values;
  if (more.length === 0) return `${name}${operator === "In" ? "=" : "!="}${only ?? ""}`;
  return `${name} ${operator.toLowerCase()} (${values.join(",")})`;
}
