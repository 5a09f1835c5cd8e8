import type { PersistentVolume } from "../api/gen/core.ts";
import type { StorageClass } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import type { Look } from "../runtime/reconciler.ts";
import type { IntentBook } from "./intents/book.ts";
import { doubtAbout, type Intent } from "./intents/intent.ts";
import { provisionerOf } from "./ownership.ts";
import { type DataSource, sourceOf } from "./source.ts";
import { type Claim, selectedNode, type Volume, type Watches } from "./watches.ts";

/** What is seen of one claim, or of what is left of one: an intent outlives its claim. */
export interface Seen {
  readonly uid: string;
  /** The claim with this uid, when it is this driver's. */
  readonly claim: Claim | undefined;
  readonly storageClass: Stored<StorageClass> | undefined;
  readonly source: DataSource | undefined;
  /** Whatever has the name that its volume gets. */
  readonly volume: Volume | undefined;
  readonly intent: Intent | undefined;
  /** Why what comes of the intent must be kept. */
  readonly doubt: string | undefined;
  /** What the driver has made, as it is to be written. Lost at a restart: the driver is asked the same again. */
  readonly made: PersistentVolume | undefined;
  readonly now: Date;
}

/** The reply of the step that asks the driver. */
export interface Made {
  readonly made: PersistentVolume;
}

export interface Eyes {
  readonly watches: Watches;
  readonly book: Pick<IntentBook, "get">;
  readonly driverName: string;
  readonly volumeName: (claimUid: string) => string;
  readonly term: () => number | undefined;
}

/** Of a namespace and a uid: fair to namespaces, and a claim that is made again under its name is another one. */
export function keyOfClaim(namespace: string, uid: string): string {
  return `${namespace}/${uid}`;
}

export function observe(eyes: Eyes, key: string, { now, reply }: Look): Seen | undefined {
  const { watches, book, driverName, volumeName, term } = eyes;
  const uid = key.slice(key.indexOf("/") + 1);
  const claim = watches.claims.by("uid", uid).find((one) => provisionerOf(one) === driverName);
  const intent = book.get(uid);
  if (claim === undefined && intent === undefined) return undefined;
  return {
    uid,
    claim,
    storageClass: watches.classes.get(claim?.spec?.storageClassName ?? ""),
    source: claim === undefined ? undefined : sourceOf(claim),
    volume: watches.volumes.get(volumeName(uid)),
    intent,
    doubt: intent === undefined ? undefined : doubtAbout(intent, now, term()),
    made: isMade(reply) ? reply.made : undefined,
    now,
  };
}

function isMade(reply: unknown): reply is Made {
  return typeof reply === "object" && reply !== null && "made" in reply;
}

/** Whether somebody waits for a volume of this driver. */
export function wantsVolume({ claim, volume }: Seen): boolean {
  const hasName = (claim?.spec?.volumeName ?? "") !== "";
  return claim !== undefined && volume === undefined && !hasName && claim.metadata.deletionTimestamp === undefined;
}

/** By the class: the volume is made where the first pod runs, and nobody has chosen where. */
export function awaitsPod({ claim, storageClass }: Seen): boolean {
  const isLate = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  return isLate && claim !== undefined && selectedNode(claim.metadata) === "";
}
