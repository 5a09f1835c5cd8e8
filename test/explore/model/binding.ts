import {
  type ObjectReference,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../../src/api/gen/core.ts";
import type { Stored } from "../../../src/api/object.ts";
import { allOf, objectOf, type Server } from "./server.ts";

export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;

/** The claim with the uid that the volume points at; one with the same name and another uid is another claim. */
export function claimBehind(server: Server, { spec }: Volume): Claim | undefined {
  const { namespace = "", name = "", uid } = spec?.claimRef ?? {};
  const claim = objectOf(server, persistentVolumeClaims, `${namespace}/${name}`);
  return claim?.metadata.uid === uid ? claim : undefined;
}

export function isNamedBy({ spec }: Claim, { metadata }: Volume): boolean {
  return spec?.volumeName === metadata.name;
}

export function isBindCompleted({ metadata }: Claim): boolean {
  return metadata.annotations?.["pv.kubernetes.io/bind-completed"] !== undefined;
}

export function reference({ metadata: { namespace = "", name, uid, resourceVersion } }: Claim): ObjectReference {
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
}

/** The volume is the claim's, and the binder's next look at the claim goes on binding them. */
export function binds(server: Server, claim: Claim | undefined, volume: Volume): boolean {
  if (claim === undefined || volume.spec?.claimRef?.uid !== claim.metadata.uid) return false;
  return candidateOf(server, claim) === volume.metadata.name;
}

/** The name of the volume that the binder binds this claim to when it looks at it now. */
export function candidateOf(server: Server, claim: Claim): string | undefined {
  const named = objectOf(server, persistentVolumes, claim.spec?.volumeName ?? "");
  if (isBindCompleted(claim)) return named !== undefined && mayKeep(claim, named) ? named.metadata.name : undefined;
  if ((claim.spec?.volumeName ?? "") === "") return matchFor(server, claim)?.metadata.name;
  return named !== undefined && mayTake(claim, named) ? named.metadata.name : undefined;
}

/** A claim that was bound before: its volume points back, or at nobody. */
function mayKeep(claim: Claim, { spec }: Volume): boolean {
  return spec?.claimRef === undefined || spec.claimRef.uid === claim.metadata.uid;
}

/** A claim that asks for this volume: it is given to the claim, whatever it is; or it is free and fits. */
function mayTake(claim: Claim, volume: Volume): boolean {
  if (isGivenTo(volume, claim)) return true;
  return volume.spec?.claimRef === undefined && isLargeEnough(volume, claim) && fits(volume, claim);
}

/** By name, and by uid where there is one. */
function isGivenTo({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  return namespace === metadata.namespace && name === metadata.name && (uid ?? metadata.uid) === metadata.uid;
}

/** A volume given to the claim comes before all others, and only its size and modes are looked at. */
function matchFor(server: Server, claim: Claim): Volume | undefined {
  const possible = allOf(server, persistentVolumes).filter(
    (volume) =>
      isLargeEnough(volume, claim) && hasModes(volume, claim) && volume.metadata.deletionTimestamp === undefined,
  );
  const given = possible.find((volume) => isGivenTo(volume, claim));
  const isFree = ({ spec, status }: Volume) => spec?.claimRef === undefined && status?.phase === "Available";
  return given ?? possible.find((volume) => isFree(volume) && fits(volume, claim) && isSelected(volume, claim));
}

function fits(volume: Volume, claim: Claim): boolean {
  const isAlive = volume.metadata.deletionTimestamp === undefined;
  return isAlive && hasModes(volume, claim) && volume.spec?.storageClassName === claim.spec?.storageClassName;
}

function hasModes({ spec }: Volume, claim: Claim): boolean {
  const hasAll = (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode) === true);
  return hasAll && spec?.volumeMode === claim.spec?.volumeMode;
}

function isSelected({ metadata }: Volume, { spec }: Claim): boolean {
  const wanted = Object.entries(spec?.selector?.matchLabels ?? {});
  return wanted.every(([label, value]) => metadata.labels?.[label] === value);
}

function isLargeEnough({ spec }: Volume, claim: Claim): boolean {
  const asked = claim.spec?.resources?.requests?.["storage"] ?? "0";
  return bytesIn(String(spec?.capacity?.["storage"] ?? "0")) >= bytesIn(String(asked));
}

const units: Readonly<Record<string, number>> = { "": 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

function bytesIn(quantity: string): number {
  const [, number = "", unit = ""] = /^(\d+)(\w*)$/.exec(quantity) ?? [];
  const size = units[unit];
  if (number === "" || size === undefined) throw new Error(`the model does not know the quantity ${quantity}`);
  return Number(number) * size;
}
