import type { StorageClass } from "../../api/gen/storage.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import { journalOn, type Reading } from "../../api/transfer/journal.ts";
import { holdFinalizer } from "../../api/transfer/names.ts";
import { giveOn, type Wish } from "../../api/transfer/wish.ts";
import type { Look } from "../../runtime/reconciler.ts";
import type { Disk } from "../gates.ts";
import { isSettled } from "../proposal/consent.ts";
import { livingNamespace } from "../proposal/seen.ts";
import type { Claim, Volume, Watches } from "../watches.ts";

/** A claim that is given away, or has been, and everything that decides whether its volume may be locked. */
export interface Offered extends Disk {
  readonly source: Claim;
  readonly volume: Volume | undefined;
  readonly storageClass: Stored<StorageClass> | undefined;
  readonly wish: Wish;
  /** It can be deleted, and stays until we let it go. */
  readonly isHeld: boolean;
  /** Whatever journal the volume carries. */
  readonly reading: Reading;
  readonly lastConsentIsSettled: boolean;
  /** Known as soon as it is seen, also while it is being deleted: what is given before its end is given. */
  readonly sourceNamespaceUID: string | undefined;
  readonly sourceNamespaceStays: boolean;
  /** Only if it stays. */
  readonly targetNamespace: Stored<KubeObject> | undefined;
  /** Gives of the same namespace that wait for somebody, and how many may. */
  readonly pending: number;
  readonly mostPending: number;
  /** A claim that had this name before is given too, and waits: nobody could tell which of the two is accepted. */
  readonly namesakeWaits: boolean;
  readonly now: Date;
}

export interface GiveSettings {
  readonly transfersAreOn: boolean;
  readonly mostPending: number;
}

/** Only what somebody gives, or what we hold, is worth a look: there may be many thousands of other claims. */
export function concernsGive(claim: Claim): boolean {
  return giveOn(claim).is !== "none" || isHeld(claim);
}

function isHeld({ metadata }: Claim): boolean {
  return metadata.finalizers?.includes(holdFinalizer) === true;
}

function isGivenAs(key: string, volume: Volume, { metadata }: Claim): boolean {
  const reading = journalOn(volume);
  if (reading.is !== "give" || reading.journal.outcome !== undefined) return false;
  const { namespace, name, uid } = reading.journal.source;
  return `${namespace}/${name}` === key && uid !== metadata.uid;
}

export async function observeOffer(
  watches: Watches,
  { transfersAreOn, mostPending }: GiveSettings,
  key: string,
  { now }: Look,
): Promise<Offered | undefined> {
  const source = watches.claims.get(key);
  if (source === undefined || !concernsGive(source)) return undefined;
  const { namespace = "" } = source.metadata;
  const volume = watches.volumes.get(source.spec?.volumeName ?? "");
  const reading: Reading = volume === undefined ? { is: "none" } : journalOn(volume);
  const wish = giveOn(source);
  return {
    source,
    volume,
    storageClass: watches.classes.get(source.spec?.storageClassName ?? ""),
    wish,
    isHeld: isHeld(source),
    reading,
    lastConsentIsSettled: isSettled(reading, watches),
    sourceNamespaceUID: watches.namespaces.get(namespace)?.metadata.uid,
    sourceNamespaceStays: livingNamespace(watches, namespace) !== undefined,
    targetNamespace: wish.is === "clear" ? livingNamespace(watches, wish.namespace) : undefined,
    pending: watches.volumes.by("given", namespace).length,
    mostPending,
    namesakeWaits: watches.volumes.by("claim", key).some((other) => isGivenAs(key, other, source)),
    transfersAreOn,
    now,
  };
}
