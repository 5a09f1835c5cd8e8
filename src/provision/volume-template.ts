import { defined } from "../api/defined.ts";
import type { CSIPersistentVolumeSource, PersistentVolume, PersistentVolumeClaim } from "../api/gen/core.ts";
import type { StorageClass } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import { isBlock, isReadOnly } from "./capabilities.ts";
import {
  deletionSecretAnnotations,
  identityAttribute,
  modifySecretAnnotations,
  provisionedByAnnotation,
  volumeFinalizer,
} from "./names.ts";
import type { SecretPlace } from "./order.ts";
import type { Secrets } from "./secret-names.ts";

export interface TemplateInputs {
  readonly claim: Stored<PersistentVolumeClaim>;
  readonly storageClass: StorageClass;
  readonly driver: string;
  readonly name: string;
  readonly fsType: string;
  readonly secrets: Secrets;
  /** Among the volume's attributes, for whoever wonders which process made it. */
  readonly identity: string;
  readonly controllerPublishReadOnly: boolean;
}

/** The volume, but for what the driver answers. */
export function templateOf(inputs: TemplateInputs): PersistentVolume {
  const { claim, storageClass, name } = inputs;
  const { accessModes, volumeMode, volumeAttributesClassName } = claim.spec ?? {};
  return {
    metadata: { name, annotations: annotationsOf(inputs), finalizers: [volumeFinalizer] },
    spec: defined({
      accessModes,
      claimRef: referenceTo(claim),
      csi: csiOf(inputs),
      mountOptions: storageClass.mountOptions,
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      volumeAttributesClassName: volumeAttributesClassName || undefined,
      volumeMode,
    }),
  };
}

/** The secret for deletion is written down even when there is none: an absent one would be looked up in the class as it is by then. */
function annotationsOf({ driver, secrets }: TemplateInputs): Readonly<Record<string, string>> {
  const modify = secrets["controller-modify"];
  return {
    [provisionedByAnnotation]: driver,
    ...marks(deletionSecretAnnotations, secrets.provisioner ?? { name: "", namespace: "" }),
    ...(modify === undefined ? {} : marks(modifySecretAnnotations, modify)),
  };
}

function marks(keys: SecretPlace, { name, namespace }: SecretPlace): Readonly<Record<string, string>> {
  return { [keys.name]: name, [keys.namespace]: namespace };
}

/** Complete, so that the binder gives the volume to this claim and to no later one of its name. */
function referenceTo({ metadata: { namespace = "", name, uid, resourceVersion } }: Stored<PersistentVolumeClaim>) {
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
}

function csiOf(inputs: TemplateInputs): CSIPersistentVolumeSource {
  const { claim, driver, fsType, secrets, identity, controllerPublishReadOnly } = inputs;
  return defined({
    driver,
    volumeHandle: "",
    volumeAttributes: { [identityAttribute]: identity },
    fsType: isBlock(claim) || fsType === "" ? undefined : fsType,
    readOnly: controllerPublishReadOnly && isReadOnly(claim) ? true : undefined,
    controllerPublishSecretRef: secrets["controller-publish"],
    nodeStageSecretRef: secrets["node-stage"],
    nodePublishSecretRef: secrets["node-publish"],
    controllerExpandSecretRef: secrets["controller-expand"],
    nodeExpandSecretRef: secrets["node-expand"],
  });
}
