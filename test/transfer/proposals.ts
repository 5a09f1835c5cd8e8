import type { PersistentVolumeClaimSpec } from "../../src/api/gen/core.ts";
import type { Metadata } from "../../src/api/object.ts";
import { allowAnnotation, cloningProtection, idAnnotation, snapshotProtection } from "../../src/api/transfer/names.ts";
import { observeProposal, type Proposed } from "../../src/transfer/proposal/seen.ts";
import type { Claim, Policy, Request, Volume } from "../../src/transfer/watches.ts";
import { type Facts, factsSample } from "./proposal-facts.ts";
import {
  aClaim,
  aJournal,
  aVolume,
  bothNamespaces,
  byPolicy,
  className,
  endedAs,
  leaving,
  noon,
  place,
  podsAre,
  requestUid,
  stored,
  theApproval,
  theAttachment,
  thePolicy,
  theRequest,
  theSource,
  theTarget,
  theUse,
  watchesOf,
} from "./worlds.ts";

export async function seenOf(facts: Facts): Promise<Proposed> {
  const watches = watchesOf({
    volumes: [volumeOf(facts)],
    claims: [...sourceOf(facts), ...targetOf(facts)],
    requests: [requestOf(facts)],
    approvals: facts.approval === "none" ? [] : [approvalOf(facts)],
    policies: policyOf(facts),
    namespaces: namespacesOf(facts),
    classes: [classOf(facts)],
    attachments: facts.attached ? [theAttachment] : [],
  });
  const key = `${place.to}/ask`;
  const look = { now: noon, reply: undefined };
  const seen = await observeProposal(watches, podsAre(facts.pods ? ["user"] : []), facts.transfersAreOn, key, look);
  if (seen === undefined) throw new Error("a request is always seen");
  return seen;
}

export async function seenSample(count: number): Promise<readonly (readonly [Facts, Proposed])[]> {
  return await Promise.all(factsSample(count).map(async (one) => [one, await seenOf(one)] as const));
}

function namespacesOf({ toNamespace }: Facts) {
  const [from, to] = bothNamespaces;
  const young = stored({ name: place.to, uid: "to-uid", creationTimestamp: "2026-11-17T11:30:00Z" });
  const found = { stays: to, leaves: undefined, "is younger than the approval": young }[toNamespace];
  return [from, found].filter((one) => one !== undefined);
}

function requestOf({ request, whenUnbound, whenInUse }: Facts): Request {
  const options = { whenUnbound, whenInUse, ttlSecondsAfterFinished: 3600 };
  const asked = theRequest(options, request === "leaving" ? leaving : {});
  if (request === "open, move recorded")
    return { ...asked, status: { phase: "Transferring", operation: requestUid, targetUID: theTarget.uid } };
  if (!request.startsWith("complete")) return asked;
  const completionTime = request === "complete" ? "2026-11-17T11:59:00Z" : "2026-11-17T10:00:00Z";
  return { ...asked, status: { complete: true, completionTime } };
}

function approvalOf({ approval: is }: Facts): ReturnType<typeof theApproval> {
  const requestUID = is === "used by us" ? requestUid : "another-uid";
  const approval = theApproval(
    is.startsWith("used") ? { consumed: true, requestUID } : undefined,
    is === "leaving" ? leaving : {},
  );
  if (!is.startsWith("pinned")) return approval;
  const uid = is === "pinned" ? theSource.uid : "another-uid";
  return { ...approval, spec: { ...approval.spec, source: { ...approval.spec.source, uid } } };
}

function policyOf({ policy: is }: Facts): readonly Policy[] {
  const others = ["a", "b", "c"].map((uid) => ({ ...theUse, requestUID: uid, sourceUID: uid }));
  const past = { until: "2026-11-17T11:00:00Z" };
  const policies: Readonly<Record<Facts["policy"], readonly Policy[]>> = {
    none: [],
    covers: [thePolicy({}, others.slice(0, 2))],
    "covers others": [thePolicy({ targets: { namespaces: ["elsewhere"] } })],
    leaving: [thePolicy({}, [], leaving)],
    exhausted: [thePolicy({}, others)],
    expired: [thePolicy(past)],
    reserved: [thePolicy({}, [theUse])],
    "reserved and expired": [thePolicy(past, [theUse])],
    "reserved and leaving": [thePolicy({}, [theUse], leaving)],
    "reserved for another claim": [thePolicy({}, [{ ...theUse, sourceUID: "another-uid" }])],
    "reserved for the claim that has moved": [thePolicy({}, [{ ...theUse, sourceUID: "gone-uid" }])],
  };
  return policies[is];
}

const sources: Readonly<Record<Exclude<Facts["source"], "none">, readonly [Metadata, PersistentVolumeClaimSpec]>> = {
  bound: [{}, {}],
  empty: [{}, { volumeName: "" }],
  "empty, leaving": [leaving, { volumeName: "" }],
  "empty, filled from a snapshot": [{}, { volumeName: "", dataSource: { kind: "VolumeSnapshot", name: "s" } }],
  young: [{ creationTimestamp: "2026-11-17T11:30:00Z" }, {}],
  leaving: [leaving, {}],
  "names a stranger's volume": [{ uid: "stranger-uid" }, {}],
};

const obstacles: Readonly<Record<string, readonly [Metadata, PersistentVolumeClaimSpec]>> = {
  "opted out": [{ annotations: { [allowAnnotation]: "false" } }, {}],
  snapshot: [{ finalizers: [snapshotProtection] }, {}],
  clone: [{ finalizers: [cloningProtection] }, {}],
  growing: [{}, { resources: { requests: { storage: "2Gi" } } }],
};

function sourceOf({ source, obstacle }: Facts): readonly Claim[] {
  if (source === "none") return [];
  const [metadata, spec] = sources[source];
  const [more, less] = obstacles[obstacle] ?? [{}, {}];
  const phase = source.startsWith("empty") ? "Pending" : "Bound";
  return [aClaim({ ...theSource, ...more, ...metadata }, { ...less, ...spec }, phase)];
}

const later = { creationTimestamp: "2026-11-17T11:45:00Z" };

function targetOf({ target }: Facts): readonly Claim[] {
  const id = (value: string) => ({ ...theTarget, annotations: { [idAnnotation]: value } });
  const claims: Readonly<Record<Facts["target"], readonly Claim[]>> = {
    none: [],
    stranger: [aClaim(theTarget, { volumeName: "other" })],
    marked: [aClaim(id(requestUid), { volumeName: "" }, "Pending")],
    moved: [aClaim(id(`${requestUid}/${theSource.uid}`), { volumeName: "" }, "Pending")],
    "moved and bound": [aClaim(id(`${requestUid}/${theSource.uid}`), { volumeName: "other" })],
    // Made before the claim that now has the source's name, or after it, as nobody but a forger does.
    "moved from another": [aClaim(id(`${requestUid}/gone-uid`), { volumeName: "" }, "Pending")],
    "planted as if moved": [aClaim({ ...id(`${requestUid}/gone-uid`), ...later }, { volumeName: "" }, "Pending")],
  };
  return claims[target];
}

function volumeOf({ journal, volumeLeaves, obstacle }: Facts): Volume {
  const another = { request: { name: "other", uid: "other-uid" }, id: "other-uid" };
  const journals = {
    none: undefined,
    ours: aJournal(),
    "ours by policy": aJournal(byPolicy),
    "rolled back": aJournal(endedAs("rolled-back")),
    "rolled back by policy": aJournal({ ...byPolicy, ...endedAs("rolled-back") }),
    "rolled back in the future": aJournal({
      ...endedAs("rolled-back"),
      standing: { name: "policy", uid: "policy-uid", at: "2026-11-17T13:00:00.000Z" },
    }),
    "came back by policy": aJournal({
      ...byPolicy,
      ...endedAs("rolled-back"),
      source: { ...aJournal().source, uid: "gone-uid" },
    }),
    "another's": aJournal(another),
    "another's, complete": aJournal({ ...another, ...endedAs("complete") }),
    unreadable: "{",
    newer: JSON.stringify({ ...aJournal(), v: 2 }),
  };
  const found = journals[journal];
  const volume = aVolume({
    ...(found === undefined ? {} : { journal: found }),
    policy: "Delete",
    ...(volumeLeaves ? leaving : {}),
  });
  const secret = { controllerExpandSecretRef: { name: "s", namespace: place.from } };
  const csi = { driver: "d", volumeHandle: "h", ...(obstacle === "secret" ? secret : {}) };
  const disk = obstacle === "other class" ? { storageClassName: "slow" } : {};
  return { ...volume, spec: { ...volume.spec, csi, ...disk } };
}

function classOf({ bindingMode, obstacle }: Facts) {
  const annotations = obstacle === "class opted out" ? { [allowAnnotation]: "false" } : {};
  return { ...stored({ name: className, uid: "c", annotations }), provisioner: "d", volumeBindingMode: bindingMode };
}
