import { rest, step, type Table, wait } from "../../src/runtime/table.ts";
import { deedMark, holdFinalizer } from "./journal.ts";
import type { Seen } from "./seen.ts";

export type Step = "take-hold" | "write-journal" | "copy-deed" | "burn-deed" | "close-journal" | "let-go";

const isHeld = ({ claim }: Seen) => claim.metadata.finalizers?.includes(holdFinalizer) === true;
const isLeaving = ({ claim }: Seen) => claim.metadata.deletionTimestamp !== undefined;
const isOpen = ({ journal }: Seen) => journal !== undefined && journal.done !== true;
const isCopied = ({ volume, journal }: Seen) => volume?.metadata.annotations?.[deedMark] === journal?.text;
/** Its owner has written another text since it was written down: that one must not be burnt unread. */
const isEdited = ({ deed, journal }: Seen) => deed !== undefined && (deed.data?.["text"] ?? "") !== journal?.text;

const isWanted = (s: Seen) => s.deed !== undefined && s.journal === undefined && !isLeaving(s);

/** A deed goes from its claim to the claim's volume: it is copied first, and burnt only when the copy is safe. */
export const rules: Table<Seen, Step> = [
  ["the deed was edited since", (s) => isOpen(s) && isEdited(s), step("write-journal")],
  ["the deed is not on the volume yet", (s) => isOpen(s) && !isCopied(s), step("copy-deed")],
  ["the deed is still with the claim", (s) => isOpen(s) && s.deed !== undefined, step("burn-deed")],
  ["the journal is still open", isOpen, step("close-journal")],
  ["a hold is left over", (s) => isHeld(s) && !isWanted(s), step("let-go")],
  ["the claim is not bound", (s) => isWanted(s) && s.volume === undefined, wait("SourceNotBound", { quietSeconds: 2 })],
  ["the claim could leave in the middle", (s) => isWanted(s) && !isHeld(s), step("take-hold")],
  ["nothing is written down yet", isWanted, step("write-journal")],
  ["the deed is handed over, or there is none to hand over", (s) => !isOpen(s) && !isHeld(s), rest],
];
