import { type Arbitrary, constantFrom } from "fast-check";

/** What is usual comes twice as often as everything else together. */
export function often<T>(usual: T, ...others: readonly T[]): Arbitrary<T> {
  return constantFrom<T>(...others.map(() => usual), ...others.map(() => usual), ...others);
}
