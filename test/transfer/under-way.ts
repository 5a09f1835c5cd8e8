import type { Metadata } from "../../src/api/object.ts";
import type { Journal } from "../../src/api/transfer/journal.ts";
import { allowAnnotation, keptAnnotation } from "../../src/api/transfer/names.ts";
import { keptMark, keyOfTransfer, observeUnderWay, type UnderWay } from "../../src/transfer/seen.ts";
import type { Claim, Policy } from "../../src/transfer/watches.ts";
import { type Facts, factsSample } from "./under-way-facts.ts";
import {
  aClaim,
  aJournal,
  aVolume,
  bothNamespaces,
  byPolicy,
  endedAs,
  leaving,
  marked,
  noon,
  podsAre,
  theApproval,
  theAttachment,
  thePolicy,
  theRequest,
  theReturned,
  theSource,
  theTarget,
  theUse,
  watchesOf,
} from "./worlds.ts";

export async function seenOf(facts: Facts): Promise<UnderWay> {
  const journal = journalOf(facts);
  const volume = aVolume({
    journal,
    claimUid: uids[facts.pointsAt],
    phase: facts.phase,
    policy: facts.policy,
    ...(facts.volumeLeaves ? leaving : {}),
  });
  const watches = watchesOf({
    volumes: [volume],
    claims: [...sourceOf(facts), ...targetOf(facts)],
    requests: facts.request === "none" ? [] : [theRequest(undefined, consentMeta(facts.request))],
    approvals: facts.approval === "none" ? [] : [theApproval(...approvalOf(facts.approval))],
    policies: policyOf(facts),
    namespaces: namespacesOf(facts),
    attachments: facts.attached ? [theAttachment] : [],
  });
  const seen = await observeUnderWay(watches, podsAre(facts.pods ? ["user"] : []), keyOfTransfer(volume, journal), {
    now: noon,
    reply: replies[facts.kicked],
  });
  if (seen === undefined) throw new Error("a journaled volume is always seen");
  return seen;
}

export async function seenSample(count: number): Promise<readonly (readonly [Facts, UnderWay])[]> {
  return await Promise.all(factsSample(count).map(async (one) => [one, await seenOf(one)] as const));
}

const uids = { source: theSource.uid, target: theTarget.uid, returned: theReturned.uid, stranger: "stranger-uid" };

const replies = {
  never: undefined,
  "just now": { at: noon.getTime() - 1, times: 1 },
  "long ago": { at: noon.getTime() - 60_000, times: 1 },
};

/** Both stand in one write, so a volume that points at the target always says so. */
function journalOf({ outcome, wasPointed, pointsAt, targetLast, turnedBack, standing }: Facts): Journal {
  const { target, ...journal } = aJournal({ ...endedAs(outcome), ...(standing === "none" ? {} : byPolicy) });
  return {
    ...journal,
    target: wasPointed || pointsAt === "target" ? { ...target, uid: theTarget.uid } : target,
    ...(targetLast ? { targetLast } : {}),
    ...(turnedBack === "before" ? { renewed: 1 } : {}),
  };
}

const grown = { resources: { requests: { storage: "2Gi" } } };

function theSourceAs({ claimPhase, turnedBack, sourceHas }: Facts): Claim {
  const annotations = {
    ...(turnedBack === "never" ? {} : { [keptAnnotation]: keptMark(aJournal()) }),
    ...(sourceHas === "opted out" ? { [allowAnnotation]: "false" } : {}),
  };
  const claim = aClaim({ ...theSource, annotations }, sourceHas === "grown" ? grown : {}, claimPhase);
  const modifyVolumeStatus = { status: "InProgress" as const };
  return sourceHas === "modification" ? { ...claim, status: { ...claim.status, modifyVolumeStatus } } : claim;
}

function withMetadata(claim: Claim, more: Metadata): Claim {
  return { ...claim, metadata: { ...claim.metadata, ...more } };
}

function sourceOf(facts: Facts): readonly Claim[] {
  const { source, claimPhase } = facts;
  const claims: Readonly<Record<Facts["source"], () => readonly Claim[]>> = {
    none: () => [],
    source: () => [theSourceAs(facts)],
    "source leaving": () => [withMetadata(theSourceAs(facts), leaving)],
    stranger: () => [aClaim({ ...theSource, uid: "stranger-uid" }, { volumeName: "" }, "Pending")],
    returned: () => [aClaim({ ...theReturned, ...marked }, {}, claimPhase)],
    "returned leaving": () => [aClaim({ ...theReturned, ...marked, ...leaving }, {}, claimPhase)],
    "returned grown": () => [aClaim({ ...theReturned, ...marked }, grown, claimPhase)],
  };
  return claims[source]();
}

function targetOf({ target, claimPhase }: Facts): readonly Claim[] {
  const claims: Readonly<Record<Facts["target"], () => readonly Claim[]>> = {
    none: () => [],
    stranger: () => [aClaim({ ...theTarget, uid: "stranger-uid" }, { volumeName: "other" })],
    planted: () => [aClaim({ ...theTarget, ...marked, uid: "planted-uid" }, { volumeName: "" }, "Pending")],
    again: () => [aClaim({ ...theTarget, ...marked, uid: "again-uid" }, {}, "Pending")],
    target: () => [aClaim({ ...theTarget, ...marked }, {}, claimPhase)],
    "target leaving": () => [aClaim({ ...theTarget, ...marked, ...leaving }, {}, claimPhase)],
    "target grown": () => [aClaim({ ...theTarget, ...marked }, grown, claimPhase)],
  };
  return claims[target]();
}

function consentMeta(is: string) {
  if (is === "another") return { uid: "another-uid" };
  return is === "leaving" ? leaving : {};
}

function approvalOf(is: Facts["approval"]): Parameters<typeof theApproval> {
  return [is === "used" ? { consumed: true, requestUID: theRequest().metadata.uid } : undefined, consentMeta(is)];
}

function policyOf({ standing: is }: Facts): readonly Policy[] {
  if (is === "none" || is === "gone") return [];
  const uses = { "without the use": [], "with a later use": [{ ...theUse, at: "2026-11-17T11:01:00.000Z" }] };
  return [thePolicy({}, is in uses ? uses[is as keyof typeof uses] : [theUse], consentMeta(is))];
}

function namespacesOf({ fromNamespace, toNamespace }: Facts) {
  return [fromNamespace, toNamespace].flatMap((is, index) => {
    const found = bothNamespaces[index];
    if (found === undefined || is === "is gone") return [];
    const more = is === "leaves" ? leaving : is === "is another" ? { uid: "another-uid" } : {};
    return [{ metadata: { ...found.metadata, ...more } }];
  });
}
