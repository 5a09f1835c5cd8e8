import { Failure } from "../../api/failure.ts";
import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import type { GiveJournal } from "../../api/transfer/journal.ts";
import { acceptAnnotations, giveAnnotations } from "../../api/transfer/names.ts";
import { Change } from "../../kube/json-patch.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";

type Claim = Stored<PersistentVolumeClaim>;

/** What a claim must ask for to be given a volume. The receiver cannot see the source, so the giver passes it on. */
export interface Shape {
  readonly size: string;
  readonly storageClass: string;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
}

export async function claimAt({ client }: Session, place: Place): Promise<Claim> {
  const found = await client.find(persistentVolumeClaims, place);
  if (found !== undefined) return found;
  throw new Failure(`there is no claim ${inWords(place)}`, "kubectl get pvc lists those that are there.");
}

export function shapeOf({ spec = {} }: Claim): Shape {
  const { resources, storageClassName = "", accessModes = ["ReadWriteOnce"], volumeMode = "Filesystem" } = spec;
  return {
    size: String(resources?.requests?.["storage"] ?? ""),
    storageClass: storageClassName,
    accessModes,
    volumeMode,
  };
}

/** The same, from what is written down of a source that may be gone. */
export function shapeIn({ claim }: GiveJournal): Shape {
  const { storage, storageClassName, accessModes, volumeMode = "Filesystem" } = claim;
  return { size: storage, storageClass: storageClassName, accessModes, volumeMode };
}

/** The line that the other side types. */
export function acceptLine(
  source: Place,
  target: Place,
  { size, storageClass, accessModes, volumeMode }: Shape,
): string {
  return [
    `kubectl portway accept ${inWords(source)} ${target.name} -n ${target.namespace}`,
    `--size ${size} --class ${storageClass === "" ? '""' : storageClass}`,
    ...(accessModes.join() === "ReadWriteOnce" ? [] : [`--access-modes ${accessModes.join(",")}`]),
    ...(volumeMode === "Filesystem" ? [] : [`--volume-mode ${volumeMode}`]),
  ].join(" ");
}

/** Both of its forms at once, so that they never say different things. */
export function changeOfGive(claim: Claim, to: Place | undefined): Change<PersistentVolumeClaim> {
  const change = new Change<PersistentVolumeClaim>(claim);
  for (const name of giveAnnotations) change.remove(["metadata", "annotations", name]);
  return to === undefined ? change : change.set(["metadata", "annotations", giveAnnotations[1]], inWords(to));
}

/** Sets the give, or takes it away. */
export async function writeGive(session: Session, claim: Claim, to: Place | undefined, dryRun: DryRun): Promise<void> {
  const change = changeOfGive(claim, to);
  if (change.isEmpty)
    throw new Failure(`${inWords(claim.metadata)} is not given to anybody`, "There is nothing to do.");
  const done = to === undefined ? "is not given any more" : `given to ${inWords(to)}`;
  if (dryRun === "client") return await printDone(session, persistentVolumeClaims, claim, done, dryRun);
  const options = { dryRun: dryRun === "server" };
  const stored = await session.client.patch(persistentVolumeClaims, claim.metadata, change.operations, options);
  await printDone(session, persistentVolumeClaims, stored, done, dryRun);
}

/** A claim that takes another one's volume over: made, or told so if it is there already and has none. */
export async function writeAccept(
  session: Session,
  place: Place,
  source: Place,
  shape: Shape,
  dryRun: DryRun,
): Promise<void> {
  const { client } = session;
  const annotations = { [acceptAnnotations[1]]: inWords(source) };
  const done = `accepts ${inWords(source)}`;
  const found = await client.find(persistentVolumeClaims, place);
  if (found?.spec?.volumeName !== undefined)
    throw new Failure(`the claim ${inWords(place)} has a volume already`, "Choose another name for the target.");
  const options = { dryRun: dryRun === "server" };
  if (found !== undefined) {
    const change = new Change(found).set(["metadata", "annotations", acceptAnnotations[1]], inWords(source));
    const stored =
      dryRun === "client" ? found : await client.patch(persistentVolumeClaims, place, change.operations, options);
    return await printDone(session, persistentVolumeClaims, stored, done, dryRun);
  }
  const wanted = claimOf(place, annotations, shape);
  const stored = dryRun === "client" ? wanted : await client.create(persistentVolumeClaims, wanted, options);
  await printDone(session, persistentVolumeClaims, stored, done, dryRun);
}

export function claimOf(
  place: Place,
  annotations: Readonly<Record<string, string>>,
  shape: Shape,
): PersistentVolumeClaim {
  const { size, storageClass, accessModes, volumeMode } = shape;
  type Spec = NonNullable<PersistentVolumeClaim["spec"]>;
  return {
    metadata: { ...place, annotations },
    spec: {
      accessModes: accessModes as NonNullable<Spec["accessModes"]>,
      resources: { requests: { storage: size } },
      storageClassName: storageClass,
      volumeMode: volumeMode as NonNullable<Spec["volumeMode"]>,
    },
  };
}
