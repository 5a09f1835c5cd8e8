import type { Wanted } from "./generate.ts";

/** The kinds we read or write, and how much of each. Our own kinds come from the CRDs in deploy/crds. */
export const wanted: Wanted = {
  kinds: [
    {
      group: "",
      versions: ["v1"],
      kinds: words(
        "PersistentVolumeClaim PersistentVolume Namespace Pod Secret ConfigMap Event Node",
        "ServiceAccount ResourceQuota LimitRange",
      ),
    },
    {
      group: "storage.k8s.io",
      versions: ["v1"],
      kinds: words("StorageClass CSINode CSIDriver VolumeAttachment VolumeAttributesClass CSIStorageCapacity"),
    },
    { group: "apps", versions: ["v1"], kinds: ["StatefulSet"] },
    { group: "coordination.k8s.io", versions: ["v1"], kinds: ["Lease"] },
    { group: "authorization.k8s.io", versions: ["v1"], kinds: ["SubjectAccessReview", "SelfSubjectAccessReview"] },
    { group: "authentication.k8s.io", versions: ["v1"], kinds: ["TokenReview"] },
    { group: "apiextensions.k8s.io", versions: ["v1"], kinds: ["CustomResourceDefinition"] },
    {
      group: "admissionregistration.k8s.io",
      versions: ["v1"],
      kinds: ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
    },
    {
      group: "snapshot.storage.k8s.io",
      versions: ["v1"],
      kinds: ["VolumeSnapshot", "VolumeSnapshotContent", "VolumeSnapshotClass"],
    },
    { group: "gateway.networking.k8s.io", versions: ["v1", "v1beta1"], kinds: ["ReferenceGrant"] },
  ],
  shared: [
    "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
    "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
    "io.k8s.api.core.v1.ObjectReference",
  ],
  // What is not named here is left out of the type; objects keep it through a read and a write.
  cuts: {
    "core.ts PodSpec": words(
      "volumes containers initContainers restartPolicy nodeName nodeSelector tolerations priorityClassName",
      "serviceAccountName automountServiceAccountToken imagePullSecrets securityContext schedulingGates",
      "terminationGracePeriodSeconds activeDeadlineSeconds",
    ),
    "core.ts PodStatus": words("phase reason message startTime conditions containerStatuses initContainerStatuses"),
    "core.ts PodSecurityContext": words(
      "fsGroup fsGroupChangePolicy supplementalGroups runAsGroup runAsNonRoot runAsUser seccompProfile",
    ),
    "core.ts Container": words(
      "name image imagePullPolicy command args workingDir env resources securityContext",
      "volumeMounts volumeDevices terminationMessagePolicy",
    ),
    "core.ts EnvVar": words("name value"),
    "core.ts SecurityContext": words(
      "privileged allowPrivilegeEscalation capabilities readOnlyRootFilesystem",
      "runAsGroup runAsNonRoot runAsUser seccompProfile",
    ),
    "core.ts ResourceRequirements": words("limits requests"),
    "core.ts ContainerStatus": words("name ready restartCount state lastState image imageID"),
    "core.ts Volume": words("name persistentVolumeClaim ephemeral csi secret configMap projected emptyDir hostPath"),
    "core.ts VolumeProjection": words("secret configMap serviceAccountToken"),
    "core.ts PersistentVolumeSpec": words(
      "accessModes capacity claimRef mountOptions nodeAffinity persistentVolumeReclaimPolicy storageClassName",
      "volumeAttributesClassName volumeMode csi hostPath local nfs",
    ),
    "core.ts NodeSpec": words("providerID taints unschedulable"),
    "core.ts NodeStatus": words("addresses allocatable capacity conditions volumesAttached volumesInUse"),
    "apps.ts StatefulSetSpec": words("replicas selector serviceName volumeClaimTemplates"),
    "apps.ts StatefulSetStatus": words("replicas readyReplicas"),
    "authorization.ts ResourceAttributes": words("group version resource subresource namespace name verb"),
    "apiextensions.ts CustomResourceDefinitionSpec": words("group names scope versions"),
    "apiextensions.ts JSONSchemaProps": "unknown",
    "apiextensions.ts CustomResourceSubresourceStatus": "unknown",
  },
};

function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}
