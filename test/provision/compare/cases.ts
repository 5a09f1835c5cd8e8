import type { Case } from "./case.ts";
import { endingCases } from "./cases/endings.ts";
import { requestCases } from "./cases/requests.ts";
import { secretCases } from "./cases/secrets.ts";
import { cloneCases, snapshotCases } from "./cases/sources.ts";
import { topologyCases } from "./cases/topology.ts";

export interface Chapter {
  readonly says: string;
  readonly cases: readonly Case[];
}

/** Everything that is asked of both programs, in the order of the page that tells about it. */
export const chapters: readonly Chapter[] = [
  { says: "Requests", cases: requestCases },
  { says: "Secrets", cases: secretCases },
  { says: "Topology", cases: topologyCases },
  { says: "Snapshots", cases: snapshotCases },
  { says: "Clones", cases: cloneCases },
  { says: "Endings", cases: endingCases },
];

export const cases: readonly Case[] = chapters.flatMap((chapter) => chapter.cases);
