import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { bigInt, assert as check, constantFrom, property } from "fast-check";
import { thousandthsOf } from "../api/quantity.ts";
import { bytesOf, mostBytes, quantityOf } from "./size.ts";

const sizes: readonly (readonly [string | number, bigint])[] = [
  ["1Gi", 1_073_741_824n],
  ["1G", 1_000_000_000n],
  ["1500m", 2n],
  ["1m", 1n],
  ["1u", 1n],
  ["1000001u", 2n],
  ["1024000102400n", 1025n],
  ["1000000000n", 1n],
  [123, 123n],
  ["9223372036854775807", mostBytes],
];

for (const [quantity, bytes] of sizes) test(`${quantity} is ${bytes} bytes`, () => equal(bytesOf(quantity), bytes));

for (const nonsense of [undefined, "", "much", "-1Gi", "1nn", "n"]) {
  test(`"${nonsense}" is no size`, () => equal(bytesOf(nonsense), undefined));
}

const written: readonly (readonly [bigint, string])[] = [
  [0n, "0"],
  [1n, "1"],
  [999n, "999"],
  [1000n, "1k"],
  [1023n, "1023"],
  [1024n, "1Ki"],
  [2000n, "2000"],
  [1_000_000_000n, "1000000000"],
  [1_073_741_824n, "1Gi"],
  [1_572_864_000n, "1500Mi"],
  [2n ** 60n, "1Ei"],
  [2n ** 62n, "4Ei"],
  [mostBytes, "9223372036854775807"],
];

for (const [bytes, quantity] of written) {
  test(`${bytes} bytes are written ${quantity}`, () => equal(quantityOf(bytes), quantity));
}

const sizesOfDrivers = bigInt({ min: 0n, max: mostBytes });

test("what is written means the same bytes when it is read, and is as short as it can be", () => {
  check(
    property(sizesOfDrivers, bigInt({ min: 0n, max: 6n }), (size, power) => {
      const bytes = (size % 4096n) * 1024n ** power;
      for (const one of [size, bytes]) equal(bytesOf(quantityOf(one)), one);
      const digits = BigInt(/^\d+/.exec(quantityOf(bytes))?.[0] ?? "");
      ok(bytes === 0n || digits % 1024n !== 0n || quantityOf(bytes).endsWith("Ei"), quantityOf(bytes));
    }),
  );
});

test("a part of a byte counts as a whole one, and never as more", () => {
  const parts = { "": 1n, m: 1000n, u: 10n ** 6n, n: 10n ** 9n } as const;
  check(
    property(sizesOfDrivers, constantFrom("", "m", "u", "n"), (digits, suffix) => {
      const bytes = bytesOf(`${digits}${suffix}`) ?? -1n;
      ok(bytes * parts[suffix] >= digits && (bytes - 1n) * parts[suffix] < digits);
    }),
  );
});

test("and where thousandths are known, they agree", () => {
  const suffixes = constantFrom("m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3");
  check(
    property(bigInt({ min: 0n, max: 10n ** 12n }), suffixes, (digits, suffix) => {
      const thousandths = thousandthsOf(`${digits}${suffix}`) ?? -1n;
      const bytes = bytesOf(`${digits}${suffix}`) ?? -1n;
      ok(bytes * 1000n >= thousandths && (bytes - 1n) * 1000n < thousandths);
    }),
  );
});
