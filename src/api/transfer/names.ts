/** Names that are stored in clusters. None may ever change its meaning. */
export const journalAnnotation = "transfer.portway.dev/journal";
/** On a target claim: the transfer it was made for. */
export const idAnnotation = "transfer.portway.dev/id";
export const allowAnnotation = "transfer.portway.dev/allow";
/** On a source that is to keep its volume: which transfer was turned back. Its version has moved on with it. */
export const keptAnnotation = "transfer.portway.dev/kept";
/** On a target claim: how often the binder was asked to look at it. */
export const kickAnnotation = "transfer.portway.dev/kicks";

export const boundByController = "pv.kubernetes.io/bound-by-controller";
export const snapshotProtection = "snapshot.storage.kubernetes.io/pvc-as-source-protection";
export const cloningProtection = "provisioner.storage.kubernetes.io/cloning-protection";
export const deletionSecretNamespace = "volume.kubernetes.io/provisioner-deletion-secret-namespace";

/** The seed's own marks on the volume. */
export const seedMarks = {
  status: "pv.kubernetes.io/transfer-status",
  source: "pv.kubernetes.io/transfer-source",
  destination: "pv.kubernetes.io/transfer-destination",
} as const;
/** And on the claim that accepts it. */
export const seedClaimStatus = "pvc.kubernetes.io/transfer-status";
/** What we tell about a given or an accepting claim when something is in its way. */
export const handOverCondition = "transfer.portway.dev/HandOver";

/** On a claim, by whoever gives it away: `namespace/name` of the claim that may have its volume. The seed's word, and ours. */
export const giveAnnotations = ["transferRequest", "transfer.portway.dev/transfer-request"] as const;
/** On a claim, by whoever takes one over: `namespace/name` of the claim whose volume it waits for. */
export const acceptAnnotations = ["transferAccept", "transfer.portway.dev/transfer-accept"] as const;

/** On a given claim: it may be deleted at once, and its volume is still there when Portway comes to lock it. */
export const holdFinalizer = "transfer.portway.dev/hold";
/**
 * In the selector of an accepting claim: no volume carries it and no provisioner takes a selector, so the claim waits. It is
 * the same for all, whether their source exists or not, and the binder does not ask for it once the volume names the claim.
 */
export const holdSelector = { "transfer.portway.dev/awaits": "hand-over" } as const;
