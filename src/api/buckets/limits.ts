import { thousandthsOf } from "../quantity.ts";

/** Of a class: what its buckets may hold at most. A driver keeps these or refuses them; nobody ignores them. */
export const limitParameters = { maxSizePerBucket: "maxBytes", maxObjectsPerBucket: "maxObjects" } as const;

export interface Bounds {
  readonly maxBytes?: bigint;
  readonly maxObjects?: bigint;
}

export type Limits =
  | { readonly is: "none" }
  | { readonly is: "some"; readonly bounds: Bounds }
  | { readonly is: "unclear"; readonly why: string };

/** Drivers are told in 64 bits. */
const most = 2n ** 63n - 1n;

export function limitsIn(parameters: Readonly<Record<string, string>> = {}): Limits {
  const written = Object.entries(limitParameters).flatMap(([name, bound]) => {
    const quantity = parameters[name];
    return quantity === undefined ? [] : [{ name, bound, quantity, count: wholeOf(quantity) }];
  });
  const unclear = written.find(({ count }) => count === undefined);
  if (unclear !== undefined)
    return { is: "unclear", why: `${unclear.name} is "${unclear.quantity}", which is no whole quantity above zero` };
  if (written.length === 0) return { is: "none" };
  return { is: "some", bounds: Object.fromEntries(written.map(({ bound, count }) => [bound, count])) };
}

function wholeOf(quantity: string): bigint | undefined {
  const thousandths = thousandthsOf(quantity);
  if (thousandths === undefined || thousandths % 1000n !== 0n) return undefined;
  const whole = thousandths / 1000n;
  return whole > 0n && whole <= most ? whole : undefined;
}
