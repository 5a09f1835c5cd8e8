import type { PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import {
  betaStorageProvisionerAnnotation,
  migratedToAnnotation,
  provisionedByAnnotation,
  storageProvisionerAnnotation,
} from "./names.ts";

/** Whom the binder asks for the claim's volume. */
export function provisionerOf({ metadata: { annotations = {} } }: PersistentVolumeClaim): string | undefined {
  return annotations[storageProvisionerAnnotation] ?? annotations[betaStorageProvisionerAnnotation];
}

/** Made by this driver, or by an admin for it: the volume's end is this driver's business. */
export function isVolumeOf({ metadata: { annotations = {} }, spec }: PersistentVolume, driver: string): boolean {
  const maker = annotations[provisionedByAnnotation];
  if (maker === undefined) return spec?.csi?.driver === driver;
  return maker === driver || annotations[migratedToAnnotation] === driver;
}
