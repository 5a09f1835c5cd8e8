import { refuse, rest, step, type Table } from "../../runtime/table.ts";
import type { Ending } from "./seen.ts";

export type Step = "hold" | "let-go" | "delete-volume" | "delete-object";

const isToDelete = ({ policy, phase, isHeld, isLeaving }: Ending) =>
  policy === "Delete" && phase === "Released" && (isHeld || !isLeaving);

/**
 * A volume that goes with its claim is held until the driver has deleted what it stands for; one that is kept is held by nobody, or
 * its object could never go.
 */
export const ending: Table<Ending, Step> = [
  ["it is kept, and held all the same", ({ policy, isHeld }) => policy !== "Delete" && isHeld, step("let-go")],
  [
    "it goes with its claim, and nothing holds it",
    ({ policy, phase, isHeld, isLeaving }) => policy === "Delete" && phase === "Bound" && !isHeld && !isLeaving,
    step("hold"),
  ],
  ["the driver has deleted it", (seen) => seen.isDeleted && isToDelete(seen) && !seen.isLeaving, step("delete-object")],
  ["nothing is left of it but its object", (seen) => seen.isDeleted && isToDelete(seen), step("let-go")],
  [
    "it is still attached",
    (seen) => isToDelete(seen) && seen.attachedTo.length > 0,
    ({ volume, attachedTo }) =>
      refuse(
        "VolumeAttached",
        `persistentvolume ${volume.metadata.name} is still attached to node ${attachedTo.join(", ")}`,
      ),
  ],
  ["its claim is gone", isToDelete, step("delete-volume")],
  ["it is in use, or kept", (seen) => !isToDelete(seen), rest],
];
