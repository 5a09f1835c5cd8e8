const units = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
] as const;

/** As kubectl says it: coarser the older it is. */
export function ageOf(since: string | undefined, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(since ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "<unknown>";
  // Two minutes are still told in seconds, and two days still in hours.
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? ["s", 1];
  return `${Math.floor(seconds / size)}${unit}`;
}
