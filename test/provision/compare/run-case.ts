import { setTimeout as sleep } from "node:timers/promises";
import { namespaces } from "../../../src/api/gen/core.ts";
import type { Case, StationKind, Step } from "./case.ts";
import { type CaseRecord, type Look, recordOf } from "./record.ts";
import { lookAt, type Stage, sceneOf } from "./scene.ts";
import type { Side } from "./side.ts";
import { take } from "./steps.ts";

/** Events are sent by the way; what was still to be told has been told by then. */
const lastWordsMilliseconds = 1500;

/** Plays one case with one program, in a namespace of its own. A wait that never came true is part of the record, and its end. */
export async function runCase(stage: Stage, side: Side, one: Case, kind: StationKind, id: string): Promise<CaseRecord> {
  const scene = sceneOf(stage, side, kind, id);
  const { name, uid } = (await stage.admin.create(namespaces, { metadata: { name: scene.namespace } })).metadata;
  const looks: Record<string, Look> = {};
  const waits: Record<string, string> = {};
  try {
    for (const [index, step] of one.steps.entries()) {
      if (step.do === "look") {
        looks[step.says] = await lookAt(scene);
        continue;
      }
      const came = await Promise.race([take(scene, step), scene.station.broken]);
      if (came !== undefined) waits[`${index + 1} ${inWords(step)}`] = came ? "came true" : "never came true";
      if (came === false) break;
    }
    await sleep(lastWordsMilliseconds);
    return recordOf(scene, { looks, waits });
  } finally {
    await stage.admin.delete(namespaces, { name, uid });
  }
}

function inWords({ do: what, ...rest }: Step): string {
  const words = Object.values<unknown>(rest).filter((value) => typeof value === "string");
  return [what, ...words].join(" ");
}
