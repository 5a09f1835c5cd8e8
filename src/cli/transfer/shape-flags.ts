import { misuse } from "../../api/failure.ts";
import { thousandthsOf } from "../../api/quantity.ts";
import type { FlagValues } from "../command.ts";
import { oneOf } from "../kubectl/flags.ts";
import type { Shape } from "./give.ts";

/** What a claim asks for: as the source does, because the volume is what it is. */
export const shapeFlags = {
  size: { says: "how much the source asks for", value: "QUANTITY" },
  class: { says: 'the storage class of the source; "" for none', value: "NAME" },
  "access-modes": { says: "how the source may be mounted (ReadWriteOnce)", value: "MODE,…" },
  "volume-mode": { says: "Filesystem or Block (Filesystem)", value: "MODE" },
} as const;

const modes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"] as const;

export function shapeIn(flags: FlagValues<typeof shapeFlags>): Shape {
  const { size, class: storageClass, "access-modes": access = "ReadWriteOnce", "volume-mode": mode } = flags;
  if (size === undefined || thousandthsOf(size) === undefined)
    throw misuse("--size is missing, or is no size", "Write what the giver's line says, as in --size 1Gi.");
  if (storageClass === undefined)
    throw misuse("--class is missing", 'Write what the giver\'s line says; --class "" for none.');
  return {
    size,
    storageClass,
    accessModes: access.split(",").map((one) => oneOf(modes, one, "--access-modes")),
    volumeMode: oneOf(["Filesystem", "Block"], mode ?? "Filesystem", "--volume-mode"),
  };
}
