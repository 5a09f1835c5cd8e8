import { configMaps, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Trouble, Troubled } from "../../src/api/trouble.ts";
import { Change } from "../../src/kube/json-patch.ts";
import type { Hand } from "../../src/runtime/hand.ts";
import { deedMark, holdFinalizer, type Journal, journalIn, journalMark } from "./journal.ts";
import type { Step } from "./rules.ts";
import type { Seen } from "./seen.ts";

/** What was seen is no longer so. */
class Overtaken extends Error implements Troubled {
  override readonly name = "Overtaken";
  readonly trouble: Trouble = "conflict";
}

function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`a step was taken without ${what}`);
  return value;
}

/** The binder writes to claims and volumes too, so their version may move on; what we rely on is tested by itself. */
const steps: Readonly<Record<Step, (seen: Seen, hand: Hand) => Promise<unknown>>> = {
  async "take-hold"({ claim }, hand) {
    const change = new Change(claim).addFinalizer(holdFinalizer);
    return await hand.patch(persistentVolumeClaims, claim.metadata, change.operations);
  },
  async "write-journal"({ claim, volume, deed }, hand) {
    // We may have let go of it without knowing, and a journal whose claim can leave is never closed.
    const now = await hand.live.find(persistentVolumeClaims, claim.metadata);
    const isHeld = now?.metadata.finalizers?.includes(holdFinalizer) === true;
    if (!isHeld || now.metadata.uid !== claim.metadata.uid) throw new Overtaken("the claim is not held");
    const { uid, name } = must(deed, "a deed").metadata;
    const text = deed?.data?.["text"] ?? "";
    const journal: Journal = { v: 1, claimUid: claim.metadata.uid, deedUid: uid, deedName: name, text };
    return await writeMark(must(volume, "a volume"), journalMark, JSON.stringify(journal), hand);
  },
  async "copy-deed"({ volume, journal }, hand) {
    return await writeMark(must(volume, "a volume"), deedMark, must(journal, "a journal").text, hand);
  },
  async "burn-deed"({ deed, volume }, hand) {
    const { namespace = "", name, uid, resourceVersion } = must(deed, "a deed").metadata;
    // Another replica may have copied another text since; what is burnt must be what the volume has now.
    const now = await hand.live.find(persistentVolumes, must(volume, "a volume").metadata);
    if (now?.metadata.annotations?.[deedMark] !== deed?.data?.["text"]) throw new Overtaken("the copy is another text");
    return await hand.delete(configMaps, { namespace, name, uid }, { resourceVersion });
  },
  async "close-journal"({ claim, volume, journal }, hand) {
    const { deedName, deedUid } = must(journal, "a journal");
    // A cache that misses the deed proves nothing: only the server knows that it is gone.
    const left = await hand.live.find(configMaps, { namespace: claim.metadata.namespace ?? "", name: deedName });
    if (left?.metadata.uid === deedUid) throw new Overtaken("the deed is still there");
    const closed = JSON.stringify({ ...journal, done: true });
    return await writeMark(must(volume, "a volume"), journalMark, closed, hand);
  },
  async "let-go"({ claim }, hand) {
    // A cache that misses the journal proves nothing: our own write of it may have been stored without our knowing.
    const { uid } = claim.metadata;
    const volume = await hand.live.find(persistentVolumes, { name: claim.spec?.volumeName ?? "none" });
    const journal = journalIn(volume?.metadata.annotations);
    if (journal?.claimUid === uid && journal.done !== true) throw new Overtaken("the journal is open");
    const change = new Change(claim).removeFinalizer(holdFinalizer);
    return await hand.patch(persistentVolumeClaims, claim.metadata, change.operations);
  },
};

async function writeMark(
  volume: NonNullable<Seen["volume"]>,
  mark: string,
  value: string,
  hand: Hand,
): Promise<unknown> {
  const change = new Change(volume, { anyVersion: true })
    .expecting(["spec", "claimRef", "uid"])
    .expecting(["metadata", "annotations", journalMark])
    .set(["metadata", "annotations", mark], value);
  return await hand.patch(persistentVolumes, volume.metadata, change.operations);
}

export async function act(step: Step, seen: Seen, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}
