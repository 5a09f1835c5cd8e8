import { thousandthsOf } from "../api/quantity.ts";

const thousand = 1000n;
const [million, milliard] = [10n ** 6n, 10n ** 9n];

/** What a driver can be asked for at most. */
export const mostBytes = 2n ** 63n - 1n;

/**
 * The bytes that a quantity means. A part of a byte is a whole one: less than what was asked for is never enough. The server
 * writes quantities in whole digits, and what is finer than a thousandth with a suffix of its own.
 */
export function bytesOf(quantity: string | number | undefined): bigint | undefined {
  const [, digits, suffix] = /^(\d+)([nu])$/.exec(String(quantity)) ?? [];
  if (digits !== undefined) return roundedUp(BigInt(digits), suffix === "n" ? milliard : million);
  const thousandths = thousandthsOf(quantity);
  return thousandths === undefined || thousandths < 0n ? undefined : roundedUp(thousandths, thousand);
}

function roundedUp(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}

const suffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;
const step = 1024n;

/** As the server itself writes so many bytes: 1Gi, 1500Mi, 1000000000, and by its own rule 1k where binary prefixes do not begin yet. */
export function quantityOf(bytes: bigint): string {
  if (bytes === thousand) return "1k";
  let [rest, power] = [bytes, 0];
  while (rest !== 0n && rest % step === 0n && power < suffixes.length - 1) [rest, power] = [rest / step, power + 1];
  return `${rest}${suffixes[power]}`;
}
