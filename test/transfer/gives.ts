import type { PersistentVolumeClaimSpec } from "../../src/api/gen/core.ts";
import { type GiveJournal, journalText } from "../../src/api/transfer/journal.ts";
import {
  allowAnnotation,
  holdFinalizer,
  holdSelector,
  keptAnnotation,
  seedClaimStatus,
} from "../../src/api/transfer/names.ts";
import { type Offered, observeOffer } from "../../src/transfer/give/seen.ts";
import { type Given, observeGiven } from "../../src/transfer/given/seen.ts";
import { keptMark, keyOfTransfer } from "../../src/transfer/seen.ts";
import type { Claim } from "../../src/transfer/watches.ts";
import type { Facts } from "./give-facts.ts";
import {
  aClaim,
  aJournal,
  aVolume,
  bothNamespaces,
  className,
  leaving,
  noon,
  place,
  theAttachment,
  theReturned,
  theSource,
  theTarget,
  watchesOf,
} from "./worlds.ts";

export function aGiveJournal(more: Partial<GiveJournal> = {}): GiveJournal {
  const { request: _, approval: __, door: ___, revokedTooLate: ____, targetLast: _____, ...journal } = aJournal();
  return { ...journal, door: "annotation", ...more };
}

export async function offerOf(facts: Facts): Promise<Offered | undefined> {
  const settings = { transfersAreOn: facts.transfersAreOn, mostPending: facts.tooMany ? 0 : 50 };
  return await observeOffer(worldOf(facts), settings, `${place.from}/${place.source}`, { now: noon, reply: undefined });
}

export async function givenOf(facts: Facts): Promise<Given | undefined> {
  const reply = facts.kicked === "never" ? undefined : { at: noon.getTime() - 1, times: 1 };
  const key = keyOfTransfer(aVolume(), aGiveJournal());
  return await observeGiven(worldOf(facts), key, { now: noon, reply });
}

function worldOf(facts: Facts) {
  const uids = { source: theSource.uid, target: theTarget.uid, returned: theReturned.uid };
  const text = journalOf(facts);
  return watchesOf({
    volumes: [
      aVolume({
        ...(text === undefined ? {} : { journal: text }),
        claimUid: uids[facts.pointsAt],
        policy: facts.policy,
        phase: "Bound",
      }),
      ...(facts.crowded ? others.map(({ volume }) => volume) : []),
      ...(facts.namesakeWaits ? [theNamesake] : []),
    ],
    claims: [...sourceOf(facts), ...targetOf(facts), ...(facts.crowded ? others.map(({ claim }) => claim) : [])],
    namespaces: namespacesOf(facts),
    attachments: facts.attached ? [theAttachment] : [],
  });
}

/** Handed over, and not bound yet. */
const others = ["one", "two"].map((name) => {
  const source = { namespace: place.from, namespaceUID: "from-uid", name, uid: `${name}-source` };
  const volume = aVolume({ journal: journalText(aGiveJournal({ id: name, source })), claimUid: `${name}-target` });
  const claimRef = { ...volume.spec?.claimRef, namespace: place.to, name };
  return {
    volume: { ...volume, metadata: { ...volume.metadata, name: `${name}-volume` }, spec: { ...volume.spec, claimRef } },
    claim: aClaim({ ...theTarget, name, uid: `${name}-target` }, {}, "Pending"),
  };
});

const theNamesake = aVolume({
  name: "another-volume",
  uid: "another-volume-uid",
  claimUid: "an-earlier-claim",
  journal: journalText(
    aGiveJournal({ volumeUID: "another-volume-uid", source: { ...aGiveJournal().source, uid: "an-earlier-claim" } }),
  ),
});

function journalOf({ journal }: Facts): string | undefined {
  if (journal === "none") return undefined;
  if (journal === "a request's") return journalText(aJournal());
  if (journal === "newer") return JSON.stringify({ ...aGiveJournal(), v: 2 });
  return journalText(aGiveJournal(journal === "open" ? {} : { outcome: journal }));
}

const wishes: Readonly<Record<string, string>> = {
  gives: `${place.to}/${place.target}`,
  "gives to another": `${place.to}/another`,
  unclear: "nowhere",
  "gives, leaving": `${place.to}/${place.target}`,
};

function sourceOf({ source, isHeld, sourceIs, claimPhase, turnedBack }: Facts): readonly Claim[] {
  if (source === "none") return [];
  const accept = { transferAccept: `${place.from}/${place.source}` };
  if (source === "taken back") return [aClaim({ ...theReturned, annotations: accept }, { selector: held }, claimPhase)];
  const wish = wishes[source];
  const metadata = {
    ...theSource,
    annotations: {
      ...(wish === undefined ? {} : { transferRequest: wish }),
      ...(turnedBack ? { [keptAnnotation]: keptMark(aGiveJournal()) } : {}),
      ...(sourceIs === "opted out" ? { [allowAnnotation]: "false" } : {}),
    },
    finalizers: isHeld ? [holdFinalizer] : [],
    ...(source.endsWith("leaving") ? { deletionTimestamp: leaving.deletionTimestamp ?? "" } : {}),
  };
  return [aClaim(metadata, {}, sourceIs === "lost" ? "Lost" : "Bound")];
}

const held = { matchLabels: holdSelector };

function targetOf({ target, mark, claimPhase }: Facts): readonly Claim[] {
  if (target === "none") return [];
  const specs: Readonly<Record<Exclude<Facts["target"], "none">, PersistentVolumeClaimSpec>> = {
    silent: { volumeName: "" },
    accepts: { volumeName: "" },
    "accepts, held": { volumeName: "", selector: held },
    "accepts, named": {},
    "too small": { volumeName: "", resources: { requests: { storage: "1Mi" } } },
    "bound elsewhere": { volumeName: "another" },
    leaving: { volumeName: "" },
  };
  const annotations = {
    ...(target === "silent" ? {} : { transferAccept: `${place.from}/${place.source}` }),
    ...(mark === "none" ? {} : { [seedClaimStatus]: mark }),
  };
  // The binder writes the name when it binds.
  const bound = claimPhase === "Bound" && target === "accepts, held" ? { volumeName: place.volume } : {};
  const metadata = { ...theTarget, annotations, ...(target === "leaving" ? leaving : {}) };
  return [aClaim(metadata, { storageClassName: className, ...specs[target], ...bound }, claimPhase)];
}

function namespacesOf({ namespaces }: Facts) {
  const [from, to] = bothNamespaces;
  const found = { both: [from, to], "the giver's": [from], "the taker's": [to], none: [] }[namespaces];
  return found.flatMap((one) => (one === undefined ? [] : [one]));
}
