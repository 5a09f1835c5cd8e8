/** Random numbers that come again with the same seed, so that an unlucky run can be had once more. */
export interface Chance {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  isHeads(): boolean;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;

  /** Steps through all 32-bit numbers, and mixes the bits of each well. */
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  }

  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    isHeads: () => next() < 0.5,
  };
}
