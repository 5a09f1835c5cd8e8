import type { LabelSelector, LabelSelectorRequirement } from "./gen/meta.ts";

type Labels = Readonly<Record<string, string>>;

/** As the server itself selects: every demand must be met, and a selector without demands selects everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels = {}): boolean {
  const valueOf = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  return (
    Object.entries(matchLabels).every(([key, value]) => valueOf(key) === value) &&
    matchExpressions.every((demand) => meets(valueOf(demand.key), demand))
  );
}

/** A label that is not there is not in any list. An operator that nobody knows selects nothing. */
function meets(value: string | undefined, { operator, values = [] }: LabelSelectorRequirement): boolean {
  const isListed = value !== undefined && values.includes(value);
  switch (operator) {
    case "In":
      return isListed;
    case "NotIn":
      return !isListed;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}
