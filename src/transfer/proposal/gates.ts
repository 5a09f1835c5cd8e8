import { refuse, wait } from "../../runtime/table.ts";
import {
  optedOut,
  otherThanItsVolume,
  resizing,
  secretNamespaces,
  snapshotOrClone,
  switchedOff,
  type Verdict,
  volumeLeaving,
} from "../gates.ts";
import { podNames } from "../rules.ts";
import { isBoundTo } from "../seen.ts";
import { movingSource, type Proposed } from "./seen.ts";

type Gate = (s: Proposed) => Verdict;

/** Everything that keeps an approved transfer from beginning, in the order in which people can do something about it. */
export const gates: readonly Gate[] = [
  switchedOff,
  sourceIsTarget,
  sourceMissing,
  sourceYoungerThanApproval,
  targetNamespaceYoungerThanApproval,
  optedOut,
  sourceLeaving,
  sourceUnbound,
  volumeBusy,
  volumeLeaving,
  resizing,
  snapshotOrClone,
  secretsInSource,
  targetNamespaceLeaving,
  targetTaken,
  otherThanItsVolume,
  inUse,
  attached,
];

export function closedGate(s: Proposed): Verdict {
  for (const gate of gates) {
    const verdict = gate(s);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/**
 * An empty claim may move only before it has a volume, and only where nothing makes one before a pod comes. One that is to
 * be filled from a source of its own namespace would find another source there, or none.
 */
export function mayMove({ request, source, storageClass }: Proposed): boolean {
  return (
    request.spec.options?.whenUnbound === "Move" &&
    source !== undefined &&
    (source.spec?.volumeName ?? "") === "" &&
    source.spec?.dataSource === undefined &&
    source.spec?.dataSourceRef === undefined &&
    storageClass?.volumeBindingMode === "WaitForFirstConsumer"
  );
}

function sourceIsTarget({ request }: Proposed): Verdict {
  const { source, targetName } = request.spec;
  const isSame = source.namespace === request.metadata.namespace && source.name === targetName;
  return isSame ? wait("TargetTaken", { detail: "The source and the target are the same claim." }) : undefined;
}

function sourceMissing({ source, request, approval }: Proposed): Verdict {
  const { namespace, name, uid } = request.spec.source;
  if (source === undefined) return wait("SourceNotFound", { detail: `There is no claim ${namespace}/${name}.` });
  const pinned = [uid, approval?.spec.source.uid].find((one) => one !== undefined && one !== source.metadata.uid);
  if (pinned === undefined) return undefined;
  return wait("SourceNotFound", {
    detail: `The claim ${namespace}/${name} is another one than was pinned (${pinned}).`,
  });
}

/** Names are used again: an approval does not cover a claim that did not exist yet. The same second is old enough. */
function sourceYoungerThanApproval({ source, approval }: Proposed): Verdict {
  if (approval?.spec.source.uid !== undefined) return undefined;
  const born = Date.parse(source?.metadata.creationTimestamp ?? "");
  const approved = Date.parse(approval?.metadata.creationTimestamp ?? "");
  return born > approved ? wait("SourceNewerThanApproval") : undefined;
}

/** A namespace that somebody else has made again under the name is not the one that was agreed to. */
function targetNamespaceYoungerThanApproval({ targetNamespace, approval }: Proposed): Verdict {
  const born = Date.parse(targetNamespace?.metadata.creationTimestamp ?? "");
  const approved = Date.parse(approval?.metadata.creationTimestamp ?? "");
  return born > approved ? wait("TargetNewerThanApproval") : undefined;
}

/** That an empty claim goes when it has moved is our own doing, and takes a moment. */
function sourceLeaving(s: Proposed): Verdict {
  if (s.source?.metadata.deletionTimestamp === undefined) return undefined;
  return wait("SourceLeaving", movingSource(s) === undefined ? {} : { quietSeconds: 2 });
}

/** In both directions and by uid: anybody may write a volume's name into a claim. */
function sourceUnbound(s: Proposed): Verdict {
  const isBound = s.source !== undefined && s.volume !== undefined && isBoundTo(s.source, s.volume);
  // Claims and volumes are seen one after the other: a claim that says it is bound will soon be seen to be, or is lying.
  const quiet = s.source?.status?.phase === "Bound" ? { quietSeconds: 1 } : {};
  return isBound || mayMove(s) ? undefined : wait("SourceNotBound", quiet);
}

function volumeBusy({ reading, lastConsentIsSettled, request }: Proposed): Verdict {
  if (reading.is === "none") return undefined;
  if (reading.is === "closed book") return wait("SourceBusy", { detail: `The volume is left alone: ${reading.why}.` });
  const { journal } = reading;
  const isOurs = reading.is === "journal" && reading.journal.request.uid === request.metadata.uid;
  if (journal.outcome === undefined && !isOurs) return wait("SourceBusy");
  if (journal.outcome === undefined || lastConsentIsSettled) return undefined;
  // A use of a policy is returned by another loop, in a moment.
  return wait("SourceBusy", isOurs ? { quietSeconds: 1 } : {});
}

/** The volume would go on reading the giver's Secrets, and stop working the day they go. */
function secretsInSource({ volume, request }: Proposed): Verdict {
  const { namespace } = request.spec.source;
  const staysInside = namespace === request.metadata.namespace;
  if (volume === undefined || staysInside || request.spec.options?.allowSourceSecrets === true) return undefined;
  return secretNamespaces(volume).includes(namespace) ? wait("SecretInSource") : undefined;
}

function targetNamespaceLeaving({ targetNamespace, sourceNamespace }: Proposed): Verdict {
  if (targetNamespace === undefined)
    return wait("TargetRefused", { detail: "The target namespace is being deleted.", quietSeconds: 1 });
  return sourceNamespace === undefined ? wait("SourceLeaving", { quietSeconds: 1 }) : undefined;
}

function targetTaken(s: Proposed): Verdict {
  const { target, request } = s;
  // Anybody may write our mark into a new claim; only that of a claim which is moving now means anything.
  if (target === undefined || (movingSource(s) !== undefined && mayMove(s))) return undefined;
  return wait("TargetTaken", {
    detail: `The claim ${request.metadata.namespace ?? ""}/${target.metadata.name} exists already.`,
  });
}

function inUse({ users, request }: Proposed): Verdict {
  if (users.length === 0) return undefined;
  const detail = `Pods still use the source claim: ${podNames(users)}.`;
  return request.spec.options?.whenInUse === "Fail" ? refuse("SourceInUse", detail) : wait("SourceInUse", { detail });
}

function attached({ attachments }: Proposed): Verdict {
  if (attachments.length === 0) return undefined;
  return wait("VolumeAttached", {
    detail: `The volume is still attached to ${attachments.map(({ spec }) => spec.nodeName).join(", ")}.`,
  });
}
