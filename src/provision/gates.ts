/** The names that external-provisioner knows. What is of age there can still be turned off: no vendor's flags keep us from starting. */
export const gates = {
  Topology: { stage: "Beta", default: true, says: "volumes where their pods can reach them" },
  VolumeAttributesClass: { stage: "Beta", default: true, says: "parameters that can be changed later" },
  HonorPVReclaimPolicy: { stage: "Beta", default: true, says: "taken; a volume's policy always counts" },
  CrossNamespaceVolumeDataSource: { stage: "Alpha", default: false, says: "sources in other namespaces" },
  ReleaseLeaderElectionOnExit: { stage: "Alpha", default: false, says: "taken; the lease is always released" },
} as const;
