import { isDeepStrictEqual } from "node:util";

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A merge patch: null removes, an object goes into the object that is there, anything else takes its place. */
export function merged(object: unknown, change: unknown): unknown {
  if (!isMembers(change)) return change;
  const result: Record<string, unknown> = isMembers(object) ? { ...object } : {};
  for (const [member, value] of Object.entries(change)) {
    if (value === null) delete result[member];
    else result[member] = merged(result[member], value);
  }
  return result;
}

/**
 * A forced server-side apply: what a manager applies is there, what it applied before and applies no more goes away, and
 * all else stays. Conditions are a list by type, finalizers a set; other lists are taken whole.
 */
export function applied(object: unknown, wish: unknown, before: unknown, name = ""): unknown {
  if (name === "conditions" && Array.isArray(wish))
    return listOf(applied(byType(object), byType(wish), byType(before)));
  if (name === "finalizers" && Array.isArray(wish)) return union(object, wish, before);
  return isMembers(wish) ? appliedMembers(object, wish, isMembers(before) ? before : {}) : wish;
}

function appliedMembers(object: unknown, wish: Members, before: Members): Members {
  const result: Record<string, unknown> = isMembers(object) ? { ...object } : {};
  for (const member of Object.keys(before)) if (!Object.hasOwn(wish, member)) delete result[member];
  for (const [member, value] of Object.entries(wish)) {
    result[member] = applied(result[member], value, before[member], member);
  }
  return result;
}

function byType(conditions: unknown): Members {
  const list: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
  return Object.fromEntries(list.filter(isMembers).map((condition) => [String(condition["type"]), condition]));
}

function listOf(conditions: unknown): readonly unknown[] {
  return isMembers(conditions) ? Object.values(conditions) : [];
}

function union(object: unknown, wish: readonly unknown[], before: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(object) ? object : [];
  const mine: readonly unknown[] = Array.isArray(before) ? before : [];
  const kept = list.filter((one) => wish.includes(one) || !mine.includes(one));
  return [...kept, ...wish.filter((one) => !kept.some((other) => isDeepStrictEqual(one, other)))];
}
