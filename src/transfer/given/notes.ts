import { persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import type { GiveJournal } from "../../api/transfer/journal.ts";
import type { Note } from "../../runtime/report.ts";
import { wordsOf } from "../notes.ts";
import type { Given } from "./seen.ts";

/** Events on the volume and on whoever has it in the end. */
export function notesOnEnd({ volume, receiver, source }: Given, journal: GiveJournal): readonly Note[] {
  const told = wordsOf(journal);
  const owner = source.is === "there" ? source.claim : receiver?.claim;
  return [
    { ...told, resource: persistentVolumes, object: volume },
    ...(owner === undefined ? [] : [{ ...told, resource: persistentVolumeClaims, object: owner }]),
  ];
}
