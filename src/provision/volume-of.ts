import { defined } from "../api/defined.ts";
import type { PersistentVolume, VolumeNodeAffinity } from "../api/gen/core.ts";
import type {
  CreateVolumeRequest,
  CreateVolumeResponse,
  Topology,
  Volume,
  VolumeContentSource,
} from "../rpc/gen/csi_pb.js";
import { requestOf } from "./make-order.ts";
import type { Order } from "./order.ts";
import { quantityOf } from "./size.ts";

export type VolumeVerdict =
  | { readonly is: "volume"; readonly volume: PersistentVolume }
  /** Not what was asked for. It may still be there: the driver is asked again until its answer is right, or a final no. */
  | {
      readonly is: "wrong";
      readonly because: string;
      /** For the log only: handles may be of objects that the claim's owner cannot see. */
      readonly detail?: string;
      /** The volume to delete before, so that the driver cannot give the same answer again. */
      readonly mayDelete?: string;
    };

/** What becomes of the driver's answer. */
export function volumeOf(
  order: Order,
  { volume: made }: CreateVolumeResponse,
  request: CreateVolumeRequest = requestOf(order),
): VolumeVerdict {
  if (made === undefined || made.volumeId === "")
    return { is: "wrong", because: "the driver says that it made a volume, and gives it no id" };
  const fault = faultOf(request, made);
  if (fault !== undefined) return { is: "wrong", ...fault, mayDelete: made.volumeId };
  return { is: "volume", volume: filledIn(order, made, request.capacityRange?.requiredBytes ?? 0n) };
}

interface Fault {
  readonly because: string;
  readonly detail?: string;
}

function faultOf({ capacityRange, volumeContentSource }: CreateVolumeRequest, made: Volume): Fault | undefined {
  const asked = capacityRange?.requiredBytes ?? 0n;
  if (made.capacityBytes !== 0n && made.capacityBytes < asked) {
    const sizes = `${made.capacityBytes} bytes, which is less than the ${asked} bytes that were asked for`;
    return { because: `the driver made a volume of ${sizes}` };
  }
  if (volumeContentSource === undefined) return undefined;
  const [wanted, told] = [inWords(volumeContentSource), inWords(made.contentSource)];
  if (told === wanted) return undefined;
  const detail = `it was asked for ${wanted} and tells of ${told ?? "no source"}`;
  const because =
    told === undefined
      ? "the driver does not say that it filled the volume with the claim's source: it may be empty"
      : "the driver says that it filled the volume with something else than the claim's source";
  return { because, detail };
}

function inWords(source: VolumeContentSource | undefined): string | undefined {
  if (source?.type.case === "snapshot") return `the snapshot ${source.type.value.snapshotId}`;
  if (source?.type.case === "volume") return `the volume ${source.type.value.volumeId}`;
  return undefined;
}

/** 0 bytes mean that the driver does not know. */
function filledIn({ volume, hasTopology }: Order, made: Volume, asked: bigint): PersistentVolume {
  const { spec = {} } = volume;
  const csi = { driver: "", ...spec.csi, volumeHandle: made.volumeId };
  return {
    ...volume,
    spec: {
      ...spec,
      capacity: { storage: quantityOf(made.capacityBytes === 0n ? asked : made.capacityBytes) },
      csi: { ...csi, volumeAttributes: { ...csi.volumeAttributes, ...made.volumeContext } },
      ...defined({ nodeAffinity: hasTopology === true ? affinityOf(made.accessibleTopology) : undefined }),
    },
  };
}

/** One term for each place, in an order that does not change from try to try. A place without a name restricts nothing. */
function affinityOf(places: readonly Topology[]): VolumeNodeAffinity | undefined {
  const named = places.map(({ segments }) => Object.entries(segments)).filter(({ length }) => length > 0);
  if (named.length === 0) return undefined;
  const nodeSelectorTerms = named.map((segments) => ({
    matchExpressions: segments
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, value]) => ({ key, operator: "In" as const, values: [value] })),
  }));
  return { required: { nodeSelectorTerms } };
}
