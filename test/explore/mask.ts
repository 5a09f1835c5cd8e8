/** The same object whoever stored it and whenever: times are alike, and who manages which field is left out. */
export function masked(value: unknown): unknown {
  if (typeof value === "string") return isTime.test(value) ? "(a time)" : value;
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, masked(member)]));
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const dropped: ReadonlySet<string> = new Set(["managedFields"]);
