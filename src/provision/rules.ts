import { refuse, rest, step, type Table, wait } from "../runtime/table.ts";
import { awaitsPod, type Seen, wantsVolume } from "./seen.ts";
import { whoFills } from "./source.ts";

export type Step = "close-intent" | "write-volume" | "ask-driver" | "begin";

const isOther = ({ volume, uid }: Seen) => volume !== undefined && volume.spec?.claimRef?.uid !== uid;

/**
 * From a claim to its volume. The intent is stored before the driver is asked, and as long as it is there the driver is asked the
 * same again, whatever becomes of the claim: what may have been made must come to light as a volume.
 */
export const provisioning: Table<Seen, Step> = [
  [
    "its volume is written",
    (seen) => seen.intent !== undefined && seen.volume !== undefined && !isOther(seen),
    step("close-intent"),
  ],
  [
    "the volume's name belongs to another claim",
    (seen) => isOther(seen) && (seen.intent !== undefined || seen.claim !== undefined),
    ({ volume }) => refuse("VolumeNameTaken", `The volume ${volume?.metadata.name ?? ""} is not this claim's.`),
  ],
  ["the driver has made it", ({ intent, made }) => intent !== undefined && made !== undefined, step("write-volume")],
  ["the driver may have begun it", ({ intent }) => intent !== undefined, step("ask-driver")],
  [
    "its class is not of this driver",
    (seen) => wantsVolume(seen) && seen.storageClass === undefined,
    ({ claim }) => refuse("ClassMissing", `There is no StorageClass ${claim?.spec?.storageClassName ?? ""}.`),
  ],
  ["a pod has to be scheduled first", (seen) => wantsVolume(seen) && awaitsPod(seen), wait("AwaitingPod")],
  [
    "somebody else fills it",
    (seen) => wantsVolume(seen) && seen.source !== undefined && whoFills(seen.source) === "populator",
    wait("FilledByOthers"),
  ],
  ["it has no volume yet", wantsVolume, step("begin")],
  ["it has its volume, or wants none", ({ claim }) => claim !== undefined, rest],
];
