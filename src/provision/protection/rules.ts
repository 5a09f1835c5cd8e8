import { rest, step, type Table, wait } from "../../runtime/table.ts";
import type { Source } from "./seen.ts";

export type Step = "let-go";

/** A source is held as long as the driver may read it, and not a moment longer. */
export const protecting: Table<Source, Step> = [
  ["somebody still needs it", ({ isHeld, users }) => isHeld && users > 0, wait("SourceNeeded")],
  ["it is held for nobody", ({ isHeld }) => isHeld, step("let-go")],
  ["it is not held", ({ isHeld }) => !isHeld, rest],
];
