import type { StorageClass } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import { sizeIsOver } from "../api/quantity.ts";
import {
  allowAnnotation,
  cloningProtection,
  deletionSecretNamespace,
  snapshotProtection,
} from "../api/transfer/names.ts";
import { type Plan, wait } from "../runtime/table.ts";
import { isBeingChanged } from "./claim-shape.ts";
import type { Claim, Volume } from "./watches.ts";

/** Why not; nothing when nothing is in the way. */
export type Verdict = Plan<never> | undefined;

/** A claim and its volume, whatever door they go through. */
export interface Disk {
  readonly source: Claim | undefined;
  readonly volume: Volume | undefined;
  readonly storageClass: Stored<StorageClass> | undefined;
  readonly transfersAreOn: boolean;
}

export function switchedOff({ transfersAreOn }: Disk): Verdict {
  return transfersAreOn ? undefined : wait("TransfersDisabled");
}

export function optedOut(disk: Disk): Verdict {
  const refuses = (object: Disk["source"] | Disk["storageClass"]) =>
    object?.metadata.annotations?.[allowAnnotation] === "false";
  if (refuses(disk.source)) return wait("OptedOut", { detail: `The claim carries ${allowAnnotation}: "false".` });
  // Read only now: who may see the claim and not its class hears at least what the claim says.
  const { storageClass } = disk;
  if (!refuses(storageClass)) return undefined;
  return wait("OptedOut", {
    detail: `The class ${storageClass?.metadata.name ?? ""} carries ${allowAnnotation}: "false".`,
  });
}

export function volumeLeaving({ volume }: Disk): Verdict {
  return volume?.metadata.deletionTimestamp === undefined ? undefined : wait("VolumeLeaving");
}

export function resizing({ source, volume }: Disk): Verdict {
  const isGrowing = sizeIsOver(storageIn(source?.spec?.resources?.requests), storageIn(volume?.spec?.capacity));
  return isGrowing || isBeingChanged(source?.status ?? {}) ? wait("ResizeRunning") : undefined;
}

export function storageIn(sizes: Readonly<Record<string, string | number>> | undefined): string | number | undefined {
  return sizes?.["storage"];
}

export function snapshotOrClone({ source }: Disk): Verdict {
  const finalizers = source?.metadata.finalizers ?? [];
  if (finalizers.includes(snapshotProtection)) return wait("SnapshotRunning");
  return finalizers.includes(cloningProtection) ? wait("CloneRunning") : undefined;
}

/** Where the Secrets are that the volume cannot do without. */
export function secretNamespaces({ spec, metadata }: Volume): readonly (string | undefined)[] {
  const csi = Object.values(spec?.csi ?? {}) as readonly unknown[];
  // Every reference to a Secret in a CSI source is an object with a namespace, also those that come with later versions.
  const references = csi.filter((value) => typeof value === "object" && value !== null && "namespace" in value);
  return [
    ...references.map((one) => (one as { readonly namespace?: string }).namespace),
    metadata.annotations?.[deletionSecretNamespace],
  ];
}

/** The binder does not compare, so a claim that differs from its volume would carry the difference along. */
export function otherThanItsVolume({ source, volume }: Disk): Verdict {
  const differences = differencesOf(source?.spec, volume?.spec);
  if (differences.length === 0) return undefined;
  return wait("SpecMismatch", { detail: `The source claim differs from its volume in: ${differences.join(", ")}.` });
}

/** The words for everything in which a claim is not what the volume is. */
export function differencesOf(claim: Claim["spec"], disk: Volume["spec"]): readonly string[] {
  if (claim === undefined || disk === undefined) return [];
  const isMode = (mode: string) => (disk.accessModes ?? []).some((one) => one === mode);
  const comparisons: readonly (readonly [what: string, isSame: boolean])[] = [
    ["class", same(claim.storageClassName, disk.storageClassName, "")],
    ["volume mode", same(claim.volumeMode, disk.volumeMode, "Filesystem")],
    ["access modes", (claim.accessModes ?? []).every(isMode)],
    ["attributes class", same(claim.volumeAttributesClassName, disk.volumeAttributesClassName, "")],
  ];
  return comparisons.filter(([, isSame]) => !isSame).map(([what]) => what);
}

function same(a: string | undefined, b: string | undefined, otherwise: string): boolean {
  return (a ?? otherwise) === (b ?? otherwise);
}
