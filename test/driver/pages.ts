import { Refusal } from "./refusal.ts";

/** A page of a list; the token of the next one is the number of things before it. */
export function pageOf<T>(
  all: readonly T[],
  { maxEntries, startingToken }: { readonly maxEntries: number; readonly startingToken: string },
): { readonly page: readonly T[]; readonly nextToken: string } {
  if (maxEntries < 0) throw new Refusal("INVALID_ARGUMENT", "max_entries is negative");
  const start = startingToken === "" ? 0 : Number(startingToken);
  if (!Number.isInteger(start) || start < 0 || start > all.length)
    throw new Refusal("ABORTED", `"${startingToken}" is no token of this list`);
  const end = maxEntries === 0 ? all.length : Math.min(start + maxEntries, all.length);
  return { page: all.slice(start, end), nextToken: end < all.length ? String(end) : "" };
}
