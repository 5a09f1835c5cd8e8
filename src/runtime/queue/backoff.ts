export interface BackoffSettings {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
}

export const defaultBackoff: BackoffSettings = { firstMilliseconds: 20, longestMilliseconds: 300_000 };

/** How long to leave a key alone after so many failures in a row; random, so that a thousand keys do not come back at once. */
export function backoffAfter(failures: number, settings: BackoffSettings, random: () => number = Math.random): number {
  const { firstMilliseconds, longestMilliseconds } = settings;
  // Doubling 60 times passes every limit; more would pass what a number can hold.
  const grown = firstMilliseconds * 2 ** Math.min(failures - 1, 60);
  return Math.min(grown, longestMilliseconds) * (0.5 + random() / 2);
}
