import { journalAnnotation } from "../../../src/api/transfer/names.ts";
import { inWords, type OrderRule } from "../../faults/order.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";
import { isStored } from "../../faults/sweep/budget.ts";

/** Timing may hide a volume that could have been destroyed; the order of our writes hides nothing. */
const retainedFirst: OrderRule = {
  id: "T3",
  says: "a claim is deleted only after the answer that its volume is journaled and retained",
  broken: (log) => deletedUnlocked(log, () => true),
};

/** Of a claim that has got its volume on the way: whatever was sent before was sent to an empty one, and must be refused. */
export function retainedBefore(isSource: (write: WriteRecord) => boolean): OrderRule {
  return { ...retainedFirst, broken: (log) => deletedUnlocked(log, (write) => isSource(write) && isStored(write)) };
}

function deletedUnlocked(log: readonly WriteRecord[], isMeant: (write: WriteRecord) => boolean): readonly string[] {
  return log
    .filter((write) => write.verb === "delete" && write.resource === "persistentvolumeclaims" && isMeant(write))
    .filter(({ n }) => !log.some((write) => write.n < n && isLock(write)))
    .map((write) => `${inWords(write)} came before any lock`);
}

function isLock({ resource, code, body }: WriteRecord): boolean {
  const text = JSON.stringify(body ?? {});
  const isMarked = text.includes(journalAnnotation.replace("/", "~1")) && text.includes('"Retain"');
  return resource === "persistentvolumes" && code === 200 && isMarked;
}

/** Of a claim that never had a volume. */
export const targetFirst: OrderRule = {
  id: "T3",
  says: "an empty claim is deleted only after the other one was sent",
  broken: (log) =>
    log
      .filter(({ verb, resource }) => verb === "delete" && resource === "persistentvolumeclaims")
      .filter(
        ({ n }) =>
          !log.some((write) => write.n < n && write.verb === "create" && write.resource === "persistentvolumeclaims"),
      )
      .map((write) => `${inWords(write)} came before any target`),
};

/** A target that is bound, but to something else, is no success: only the end of the journal or a used approval is. */
export const toldAfterTheEnd: OrderRule = {
  id: "T7",
  says: "a request is told to be complete only after its approval is used, or gone",
  broken: (log) =>
    log
      .filter(
        ({ resource, body }) =>
          resource === "storagetransferrequests" && JSON.stringify(body ?? {}).includes('"complete":true'),
      )
      .filter(({ n }) => !log.some((write) => write.n < n && isEnding(write)))
      .map((write) => `${inWords(write)} came before the end`),
};

/** Stored, and not only sent: what the server refuses ends nothing. */
function isEnding({ resource, body, ...write }: WriteRecord): boolean {
  if (!isStored(write)) return false;
  const text = JSON.stringify(body ?? {});
  const isSettled = resource === "persistentvolumes" && text.includes('\\"outcome\\":\\"complete\\"');
  return isSettled || (resource === "storagetransferapprovals" && text.includes('"consumed":true'));
}

export const claimsAsSeen: OrderRule = {
  id: "T3",
  says: "a claim is deleted only as it was seen",
  broken: (log) =>
    log
      .filter(({ verb, resource }) => verb === "delete" && resource === "persistentvolumeclaims")
      .filter(({ preconditions }) => preconditions.resourceVersion === undefined)
      .map((write) => `${inWords(write)} has no resourceVersion precondition`),
};

export const orderRules: readonly OrderRule[] = [retainedFirst, claimsAsSeen, toldAfterTheEnd];
