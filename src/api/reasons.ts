/** What a reason means to the person who reads it, and what that person can do next. */
interface Words {
  readonly says: string;
  readonly next: string;
}

/**
 * Every reason a condition, an event, the command line or the documentation may give: a closed list, so that a reason
 * never appears without words and people can match on it.
 */
export const reasons = {
  AwaitingApproval: {
    says: "The owner of the source has not approved this transfer yet.",
    next: "Ask somebody who may delete claims in the source namespace to approve it.",
  },
  SourceNotBound: {
    says: "The source claim is not bound to a volume yet.",
    next: "Wait until it is bound, or start a pod that uses it.",
  },
  SourceNotFound: {
    says: "There is no source claim of this name.",
    next: "Check the name in the request and in the approval.",
  },
  SourceLeaving: {
    says: "The source claim is being deleted.",
    next: "Wait until it is gone; stop the pods that are named here.",
  },
  VolumeLeaving: { says: "The volume is being deleted.", next: "Ask the platform team why." },
  TargetLeaving: { says: "The target claim is being deleted.", next: "Wait until it is gone." },
  BinderBusy: { says: "Kubernetes has not bound the claim yet.", next: "Wait." },
  SourceInUse: { says: "Pods still use the source claim.", next: "Stop or delete the pods that are named here." },
  VolumeAttached: {
    says: "The volume is still attached to a node.",
    next: "Wait until it is detached; it is when no pod uses it.",
  },
  SnapshotRunning: { says: "A snapshot of the source is being taken.", next: "Wait until it is ready, or delete it." },
  CloneRunning: { says: "The source is being cloned.", next: "Wait until the clone is bound, or delete it." },
  ResizeRunning: { says: "The source is being resized or modified.", next: "Wait until it is done." },
  SecretInSource: {
    says: "The volume needs Secrets of the source namespace.",
    next: "Allow it with options.allowSourceSecrets, or use a class whose Secrets are the driver's own.",
  },
  SpecMismatch: {
    says: "The target asks for something else than the volume is.",
    next: "Write the target as the source is: class, size, volume mode and access modes.",
  },
  TargetRefused: {
    says: "The server does not let the target claim be created.",
    next: "Make room in the target namespace's quota or limits, or ask whoever wrote the policy.",
  },
  TargetTaken: {
    says: "The target's name belongs to another claim.",
    next: "Delete or rename that claim, or choose another target name.",
  },
  SourceBusy: { says: "Another transfer of this source is under way.", next: "Wait until it has ended." },
  TransfersDisabled: { says: "Transfers are switched off on this cluster.", next: "Ask the platform team." },
  OptedOut: {
    says: "This claim or its class does not take part in transfers.",
    next: "Ask whoever set transfer.portway.dev/allow.",
  },
  SourceNewerThanApproval: {
    says: "The source is younger than its approval, so the approval meant another claim.",
    next: "Approve again, or pin source.uid.",
  },
  TargetNewerThanApproval: {
    says: "The target namespace is younger than the approval, so the approval meant another namespace.",
    next: "Approve again.",
  },
  PolicyActive: {
    says: "The policy approves requests as they come.",
    next: "Delete it to take that back, or change it to approve more or less.",
  },
  PolicyExhausted: {
    says: "Every use of the policy is taken, so it approves nothing more.",
    next: "Raise spec.count, or delete the policy.",
  },
  PolicyExpired: {
    says: "The time of the policy is over, so it approves nothing more.",
    next: "Move spec.until, or delete the policy.",
  },
  WishUnclear: {
    says: "Nobody can tell what the annotation asks for.",
    next: "Write the namespace and the name of the other claim, as in team-b/data.",
  },
  TargetNamespaceMissing: {
    says: "There is no such namespace, or it is being deleted.",
    next: "Check the name, or wait until the namespace is there.",
  },
  TooManyGives: {
    says: "Too many gives of this namespace wait for somebody to accept them.",
    next: "Take some of them back, or ask the other side to accept.",
  },
  AwaitingAcceptance: {
    says: "Nobody has accepted the claim yet.",
    next: "Ask somebody in the other namespace to make a claim that accepts it.",
  },
  AwaitingDeletion: {
    says: "The claim is given and accepted.",
    next: "Delete the source claim when nobody needs it there any more; its volume is kept.",
  },
  RevokedTooLate: {
    says: "The approval was withdrawn after the source had been given up.",
    next: "Ask the new owner to hand it back.",
  },
  RolledBack: {
    says: "The target was deleted before the transfer had ended, so the source has its volume again.",
    next: "Request it again, and have it approved again.",
  },
  Orphaned: {
    says: "The volume has lost both its claims.",
    next: "An administrator decides: portway assign gives it to a claim.",
  },
  WaitingForGrant: {
    says: "No grant lets this namespace use the source.",
    next: "Ask the owner of the source for a ReferenceGrant.",
  },
  SourceIgnored: {
    says: "The data source is of a kind nobody here serves.",
    next: "Correct the reference, or install what serves it.",
  },
  ClassMissing: {
    says: "The claim's StorageClass is not there.",
    next: "Create the class, or make the claim anew with another one.",
  },
  AwaitingPod: { says: "No pod that uses the claim is scheduled yet.", next: "Start one." },
  FilledByOthers: { says: "A volume populator fills the claim.", next: "Look at the populator if nothing happens." },
  VolumeNameTaken: {
    says: "The name of the claim's volume belongs to another one.",
    next: "Ask the platform team to look at that volume.",
  },
  SourceNeeded: { says: "A volume is being filled from it.", next: "Wait until that claim is bound, or delete it." },
  RefusedByServer: {
    says: "The API server refuses a step.",
    next: "Read what it says, and change what it complains about.",
  },
  BucketClassMissing: {
    says: "There is no BucketClass of this name.",
    next: "Check spec.bucketClassName, or ask the platform team for the class.",
  },
  BucketClassUndefined: {
    says: "The BucketClass says two things at once.",
    next: "Ask the platform team for a class that can be used; classes cannot be changed, so it will be a new one.",
  },
  ParameterUnfit: {
    says: "A parameter of the BucketClass cannot be used.",
    next: "Ask the platform team for a class that can be used; classes cannot be changed, so it will be a new one.",
  },
  PrefixIgnored: {
    says: "The bucket was there before and has its name, so bucketPrefix is ignored.",
    next: "Leave bucketPrefix out of Buckets of this class.",
  },
  ContentTaken: {
    says: "The BucketContent that this Bucket would get belongs to another Bucket.",
    next: "Ask the platform team to delete that BucketContent.",
  },
  ContentLost: {
    says: "The BucketContent of this Bucket is gone, and its keys with it.",
    next: "Delete the Bucket and create it again; another content would be another, empty bucket.",
  },
  ContentLeaving: {
    says: "Somebody else holds the BucketContent.",
    next: "Ask the platform team whose finalizer is on it.",
  },
  DriverMissing: {
    says: "The driver of this bucket is not registered.",
    next: "Check the provisioner of the class, or ask the platform team to start the driver.",
  },
  DriverSilent: {
    says: "The driver of this bucket is registered, and has not been heard of for a while.",
    next: "Ask the platform team to look at the driver.",
  },
  ContentForeign: {
    says: "The BucketContent names a bucket or keys, and nobody here has begun with it.",
    next: "It may be from a back-up or made by hand: ask the platform team to delete it, and to write a class with bucketIdentifier if the bucket is wanted.",
  },
  BucketPending: { says: "The driver is at work.", next: "Wait." },
  BucketReleasing: { says: "The driver takes the keys back.", next: "Wait." },
  SecretConflict: {
    says: "A Secret with the wanted name is there already, and is not this Bucket's.",
    next: "Delete or rename that Secret, or create the Bucket with another secretName.",
  },
  QuotaExceeded: {
    says: "A quota of the namespace leaves no room for the Secret.",
    next: "Make room in the quota, or ask whoever set it; it is tried again within a minute.",
  },
  StaticSecretIncomplete: {
    says: "The Secret that the class names lacks something.",
    next: "Ask whoever wrote the class to complete the Secret; it is looked at again within a minute.",
  },
  SourceSecretUnfit: {
    says: "The Secret with the keys is not the one that the driver's sidecar made.",
    next: "Ask the platform team who has changed it.",
  },
  DriverRetried: { says: "The driver could not do it, and is asked again.", next: "Wait, or ask the platform team." },
  DriverKeepsFailing: {
    says: "The driver has failed many times, and is still asked now and then.",
    next: "Ask the platform team to look at the driver and its store.",
  },
  DriverRefused: {
    says: "The driver refuses this.",
    next: "Ask the platform team to change the class or the store; the driver is asked again now and then.",
  },
  AnswerUnfit: {
    says: "The driver has answered with something that cannot be used.",
    next: "Ask the platform team to update the driver.",
  },
  AccessModeUnsupported: {
    says: "The driver cannot limit keys to reading or to writing.",
    next: "Use a class with accessMode rw, or another driver.",
  },
  QuotaUnsupported: {
    says: "The driver cannot limit the size of a bucket.",
    next: "Use a class without maxSizePerBucket and maxObjectsPerBucket, or another driver.",
  },
  DriverNameTaken: {
    says: "Another driver is registered under this name, and it lives.",
    next: "Give one of the two another name, or stop the other one.",
  },
  NotRegistered: { says: "The driver is not registered yet.", next: "Wait." },
  Settled: { says: "Everything is in place.", next: "Nothing is left to do." },
  Working: { says: "It is under way.", next: "Wait." },
} as const satisfies Readonly<Record<string, Words>>;

export type Reason = keyof typeof reasons;

export function isReason(word: string): word is Reason {
  return Object.hasOwn(reasons, word);
}
