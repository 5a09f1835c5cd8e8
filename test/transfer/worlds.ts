import type { PersistentVolumeClaimSpec } from "../../src/api/gen/core.ts";
import type { KubeObject, Metadata, Stored } from "../../src/api/object.ts";
import { type Journal, journalText, type Outcome } from "../../src/api/transfer/journal.ts";
import { idAnnotation, journalAnnotation } from "../../src/api/transfer/names.ts";
import { type Kept, storeOf } from "../../src/kube/cache/store.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import type { PodWatch } from "../../src/transfer/pod-watch.ts";
import {
  type Approval,
  type Claim,
  type Policy,
  type Request,
  transferWatches,
  type Volume,
  type Watches,
} from "../../src/transfer/watches.ts";

/** Objects as they lie in the caches of a controller, without a server. */
export interface Objects {
  readonly claims?: readonly Claim[];
  readonly volumes?: readonly Volume[];
  readonly requests?: readonly Request[];
  readonly approvals?: readonly Approval[];
  readonly policies?: readonly Policy[];
  readonly namespaces?: readonly Stored<KubeObject>[];
  readonly classes?: readonly Stored<KubeObject>[];
  readonly attachments?: readonly Stored<KubeObject>[];
}

export const place = { from: "from", to: "to", source: "foo", target: "bar", volume: "disk" } as const;
export const noon = new Date("2026-11-17T12:00:00Z");
export const className = "fast";

type Meta = Metadata & { readonly name: string; readonly uid: string };

export function stored(metadata: Meta): Stored<KubeObject> {
  return { metadata: { resourceVersion: "1", creationTimestamp: "2026-11-17T10:00:00Z", ...metadata } };
}

/** Has been deleted, and something still holds it. */
export const leaving: Metadata = {
  deletionTimestamp: "2026-11-17T11:59:00Z",
  finalizers: ["kubernetes.io/pvc-protection"],
};

export const shape: PersistentVolumeClaimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName: className,
  volumeMode: "Filesystem",
};

export function aClaim(
  metadata: Meta,
  spec: PersistentVolumeClaimSpec = {},
  phase: NonNullable<NonNullable<Claim["status"]>["phase"]> = "Bound",
): Claim {
  return { ...stored(metadata), spec: { ...shape, volumeName: place.volume, ...spec }, status: { phase } };
}

export const theSource = { namespace: place.from, name: place.source, uid: "source-uid" };
export const theTarget = { namespace: place.to, name: place.target, uid: "target-uid" };
export const theReturned = { namespace: place.from, name: place.source, uid: "returned-uid" };
export const requestUid = "request-uid";
export const marked: Metadata = { annotations: { [idAnnotation]: requestUid } };

export function aVolume({
  journal,
  claimUid = theSource.uid,
  phase = "Bound",
  policy = "Retain",
  ...metadata
}: {
  readonly journal?: Journal | string;
  readonly claimUid?: string;
  readonly phase?: NonNullable<NonNullable<Volume["status"]>["phase"]>;
  readonly policy?: "Retain" | "Delete";
} & Metadata = {}): Volume {
  const text = typeof journal === "string" || journal === undefined ? journal : journalText(journal);
  const annotations = text === undefined ? {} : { [journalAnnotation]: text };
  return {
    ...stored({ name: place.volume, uid: "volume-uid", annotations, ...metadata }),
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      storageClassName: className,
      persistentVolumeReclaimPolicy: policy,
      claimRef: { namespace: place.from, name: place.source, uid: claimUid },
    },
    status: { phase },
  };
}

export function aJournal(more: Partial<Journal> = {}): Journal {
  return {
    v: 1,
    id: requestUid,
    volumeUID: "volume-uid",
    source: { namespace: place.from, namespaceUID: "from-uid", name: place.source, uid: theSource.uid },
    target: { namespace: place.to, namespaceUID: "to-uid", name: place.target },
    request: { name: "ask", uid: requestUid },
    ...("standing" in more ? {} : { approval: { name: "approve", uid: "approval-uid" } }),
    policy: "Delete",
    boundByController: true,
    claim: { accessModes: ["ReadWriteOnce"], storage: "1Gi", storageClassName: className, volumeMode: "Filesystem" },
    startedAt: "2026-11-17T11:00:00Z",
    ...more,
  };
}

export function endedAs(outcome: Outcome | undefined): Partial<Journal> {
  return outcome === undefined ? {} : { outcome, endedAt: "2026-11-17T11:30:00Z" };
}

export function theRequest(options?: Request["spec"]["options"], metadata: Metadata = {}): Request {
  return {
    ...stored({ namespace: place.to, name: "ask", uid: requestUid, ...metadata }),
    spec: {
      source: { namespace: place.from, name: place.source, kind: "PersistentVolumeClaim" },
      approvalName: "approve",
      targetName: place.target,
      ...(options === undefined ? {} : { options }),
    },
  };
}

export function theApproval(status?: Approval["status"], metadata: Metadata = {}): Approval {
  return {
    ...stored({
      namespace: place.from,
      name: "approve",
      uid: "approval-uid",
      creationTimestamp: "2026-11-17T11:00:00Z",
      ...metadata,
    }),
    spec: {
      source: { name: place.source, kind: "PersistentVolumeClaim" },
      targetNamespace: place.to,
      requestName: "ask",
    },
    ...(status === undefined ? {} : { status }),
  };
}

export const reservedAt = "2026-11-17T10:59:59.999Z";
/** The use of the policy that is reserved for the request, as the policy shows it. */
export const theUse = {
  request: `${place.to}/ask`,
  requestUID: requestUid,
  source: place.source,
  sourceUID: theSource.uid,
  at: reservedAt,
} as const;

export function thePolicy(
  spec: Partial<Policy["spec"]> = {},
  uses: NonNullable<Policy["status"]>["uses"] = [],
  metadata: Metadata = {},
): Policy {
  return {
    ...stored({ namespace: place.from, name: "policy", uid: "policy-uid", ...metadata }),
    spec: { targets: { namespaces: [place.to] }, count: 3, ...spec },
    status: { uses, used: uses.length },
  };
}

/** Of a transfer that began by the policy. */
export const byPolicy: Partial<Journal> = { standing: { name: "policy", uid: "policy-uid", at: reservedAt } };

export const bothNamespaces = [
  stored({ name: place.from, uid: "from-uid" }),
  stored({ name: place.to, uid: "to-uid" }),
];

/** The caches of a controller with these objects in them, indexes and all. */
export function watchesOf(objects: Objects): Watches {
  const named: Readonly<Record<string, readonly Stored<KubeObject>[] | undefined>> = {
    persistentvolumeclaims: objects.claims,
    persistentvolumes: objects.volumes,
    storagetransferrequests: objects.requests,
    storagetransferapprovals: objects.approvals,
    storagetransferpolicies: objects.policies,
    namespaces: objects.namespaces ?? bothNamespaces,
    storageclasses: objects.classes,
    volumeattachments: objects.attachments,
  };
  const watch: Sources["watch"] = (resource, { project, indexes = {} }) => {
    const cache = storeOf<ReturnType<typeof project>>(indexes, (problem) => {
      throw problem;
    });
    for (const object of named[resource.plural] ?? []) cache.put(project(object as Parameters<typeof project>[0]));
    return { cache, untilSynced: async () => undefined, stop: async () => undefined };
  };
  return transferWatches({ watch } as Sources);
}

/** As if these pods were in the source's namespace. */
export function podsAre(names: readonly string[]): PodWatch {
  const pods = names.map((name): Kept & { readonly phase: string; readonly claims: readonly string[] } => ({
    metadata: { name, namespace: place.from, uid: name, resourceVersion: "1" },
    phase: "Running",
    claims: [place.source],
  }));
  return { usersOf: async () => pods, release: () => undefined, stop: async () => undefined };
}

export const theAttachment = {
  ...stored({ name: "a", uid: "a" }),
  spec: { attacher: "x", nodeName: "node-1", source: { persistentVolumeName: place.volume } },
};
