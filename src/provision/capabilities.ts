import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import {
  VolumeCapability_AccessMode_Mode as Mode,
  type VolumeCapability_AccessMode_Mode,
  type VolumeCapabilitySchema,
} from "../rpc/gen/csi_pb.js";
import type { DriverFacts } from "./driver-facts.ts";
import { fine, type Judged, refused } from "./order.ts";

type AccessMode = NonNullable<NonNullable<PersistentVolumeClaim["spec"]>["accessModes"]>[number];
type Modes = Readonly<Record<AccessMode, VolumeCapability_AccessMode_Mode>>;
export type Capability = MessageInitShape<typeof VolumeCapabilitySchema>;

const plainModes: Modes = {
  ReadWriteMany: Mode.MULTI_NODE_MULTI_WRITER,
  ReadOnlyMany: Mode.MULTI_NODE_READER_ONLY,
  ReadWriteOnce: Mode.SINGLE_NODE_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_WRITER,
};
/** Of a driver that can tell many pods on a node from one. */
const finerModes: Modes = {
  ...plainModes,
  ReadWriteOnce: Mode.SINGLE_NODE_MULTI_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_SINGLE_WRITER,
};

export function isBlock({ spec }: PersistentVolumeClaim): boolean {
  return spec?.volumeMode === "Block";
}

/** One for each access mode of the claim. */
export function capabilitiesOf(
  claim: PersistentVolumeClaim,
  { capabilities }: Pick<DriverFacts, "capabilities">,
  mount: { readonly fsType: string; readonly mountFlags: readonly string[] },
): Judged<readonly Capability[]> {
  const modes = capabilities.has("SINGLE_NODE_MULTI_WRITER") ? finerModes : plainModes;
  const asked = claim.spec?.accessModes ?? [];
  const strange = asked.find((mode) => !Object.hasOwn(modes, mode));
  if (strange !== undefined)
    return refused(
      `the claim's access mode "${strange}" is not known here: use one of ${Object.keys(modes).join(", ")}`,
    );
  const accessType: Capability["accessType"] = isBlock(claim)
    ? { case: "block", value: {} }
    : { case: "mount", value: { fsType: mount.fsType, mountFlags: [...mount.mountFlags] } };
  return fine(asked.map((mode) => ({ accessType, accessMode: { mode: modes[mode] } })));
}

/** A claim that only ever reads. */
export function isReadOnly({ spec }: PersistentVolumeClaim): boolean {
  return spec?.accessModes?.length === 1 && spec.accessModes[0] === "ReadOnlyMany";
}
