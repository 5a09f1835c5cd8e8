/** Names that kubernetes-csi/external-provisioner, the binder, the scheduler and drivers agree on. None of them is ours to change. */

/** On a volume: which driver it was made by. */
export const provisionedByAnnotation = "pv.kubernetes.io/provisioned-by";
/** On a claim, by the binder: which driver is to make its volume. The older name counts where the newer is absent. */
export const storageProvisionerAnnotation = "volume.kubernetes.io/storage-provisioner";
export const betaStorageProvisionerAnnotation = "volume.beta.kubernetes.io/storage-provisioner";
/** On a claim, by the scheduler: where its first pod will run. */
export const selectedNodeAnnotation = "volume.kubernetes.io/selected-node";
/** On a claim or a volume of a plug-in that was part of Kubernetes: which driver took over. */
export const migratedToAnnotation = "pv.kubernetes.io/migrated-to";

/** On a volume: which Secret its deletion needs. Empty where it needs none, which is not the same as absent. */
export const deletionSecretAnnotations = {
  name: "volume.kubernetes.io/provisioner-deletion-secret-name",
  namespace: "volume.kubernetes.io/provisioner-deletion-secret-namespace",
} as const;
/** On a volume, for the resizer: it takes the secret for expansion where they are absent. */
export const modifySecretAnnotations = {
  name: "volume.kubernetes.io/controller-modify-secret-name",
  namespace: "volume.kubernetes.io/controller-modify-secret-namespace",
} as const;

/** On the content of a snapshot, by an admin. */
export const allowVolumeModeChangeAnnotation = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

export const volumeFinalizer = "external-provisioner.volume.kubernetes.io/finalizer";
/** On a claim that is being cloned. */
export const cloneFinalizer = "provisioner.storage.kubernetes.io/cloning-protection";
/** On a snapshot that is being restored. */
export const snapshotFinalizer = "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

/** Among a volume's attributes: which process made it. */
export const identityAttribute = "storage.kubernetes.io/csiProvisionerIdentity";

/** Class parameters that are meant for the provisioner and not for the driver. */
export const reservedPrefix = "csi.storage.k8s.io/";
export const fsTypeKey = "csi.storage.k8s.io/fstype";
/** What the driver is told about the claim with `--extra-create-metadata`. */
export const metadataKeys = {
  claimName: "csi.storage.k8s.io/pvc/name",
  claimNamespace: "csi.storage.k8s.io/pvc/namespace",
  volumeName: "csi.storage.k8s.io/pv/name",
} as const;

export const eventReasons = {
  provisioning: "Provisioning",
  succeeded: "ProvisioningSucceeded",
  failed: "ProvisioningFailed",
  deleteFailed: "VolumeFailedDelete",
} as const;

/** The same Lease as external-provisioner takes: the two never work side by side, and one replaces the other in a rolling update. */
export function leaseNameOf(driver: string): string {
  return driver.replaceAll(/[^A-Za-z0-9-]/g, "-");
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export function isNamespaceName(text: string): boolean {
  return text.length <= 63 && label.test(text);
}

/** Of a Secret or a volume. */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => label.test(part));
}
