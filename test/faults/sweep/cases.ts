import type { Case } from "./case.ts";
import { lateCases } from "./late-cases.ts";
import { watchCases } from "./watch-cases.ts";
import { crashPairs, longCases, shortCases, upkeepCases } from "./write-cases.ts";

export type { Case } from "./case.ts";

/** The cases of a flow, once it is known at how many places something can go wrong, and what the process looks at. */
export type Tier = (sites: number, resources: readonly string[]) => readonly Case[];

/** Every site, killed before and after, and with its reply lost. */
export const shortTier: Tier = (sites) => shortCases(sites);

/** Everything else that can happen to a write or to what we see. */
export const longTier: Tier = (sites, resources) => [
  ...longCases(sites),
  ...crashPairs(sites),
  ...watchCases(sites, resources),
  ...upkeepCases(),
];

/** Every site, given up and stored after all. For flows whose writes could meet what was decided since. */
export const lateTier: Tier = (sites) => lateCases(sites);

export const wholeSweep: Tier = (sites, resources) => [...shortTier(sites, resources), ...longTier(sites, resources)];
