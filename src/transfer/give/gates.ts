import { inWords } from "../../api/transfer/wish.ts";
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
import { isBoundTo } from "../seen.ts";
import type { Offered } from "./seen.ts";

type Gate = (s: Offered) => Verdict;

/** Everything that keeps a given volume from being locked, in the order in which people can do something about it. */
export const gates: readonly Gate[] = [
  unclear,
  switchedOff,
  toItself,
  sourceNamespaceUnseen,
  targetNamespaceMissing,
  optedOut,
  unbound,
  busy,
  namesakeWaits,
  volumeLeaving,
  resizing,
  snapshotOrClone,
  secretsInSource,
  otherThanItsVolume,
  tooMany,
];

export function closedGate(s: Offered): Verdict {
  for (const gate of gates) {
    const verdict = gate(s);
    if (verdict !== undefined) return told(s, verdict);
  }
  return undefined;
}

/** A claim that is being deleted waits for us: its owner must know how to go on without us. */
function told({ source, isHeld }: Offered, verdict: NonNullable<Verdict>): Verdict {
  const isStuck = isHeld && source.metadata.deletionTimestamp !== undefined;
  if (!isStuck || (verdict.do !== "wait" && verdict.do !== "refuse")) return verdict;
  const kept = "The claim is kept until that is mended; remove the annotation to let its deletion go on.";
  return { ...verdict, detail: verdict.detail === undefined ? kept : `${verdict.detail} ${kept}` };
}

function unclear({ wish }: Offered): Verdict {
  return wish.is === "unclear" ? refuse("WishUnclear", `${wish.why}.`) : undefined;
}

function toItself({ wish, source }: Offered): Verdict {
  const isSame =
    wish.is === "clear" && wish.namespace === source.metadata.namespace && wish.name === source.metadata.name;
  return isSame ? refuse("WishUnclear", "The claim is given to itself.") : undefined;
}

/** Namespaces are seen later than their claims, now and then. */
function sourceNamespaceUnseen({ sourceNamespaceUID }: Offered): Verdict {
  return sourceNamespaceUID === undefined ? wait("SourceLeaving", { quietSeconds: 2 }) : undefined;
}

function targetNamespaceMissing({ wish, targetNamespace }: Offered): Verdict {
  if (wish.is !== "clear" || targetNamespace !== undefined) return undefined;
  return wait("TargetNamespaceMissing", { detail: `There is no namespace for ${inWords(wish)}.`, quietSeconds: 1 });
}

/** In both directions and by uid: anybody may write a volume's name into a claim. */
function unbound({ source, volume }: Offered): Verdict {
  const isBound = volume !== undefined && isBoundTo(source, volume);
  return isBound ? undefined : wait("SourceNotBound", source.status?.phase === "Bound" ? { quietSeconds: 1 } : {});
}

function busy({ reading, lastConsentIsSettled }: Offered): Verdict {
  if (reading.is === "none") return undefined;
  if (reading.is === "closed book") return wait("SourceBusy", { detail: `The volume is left alone: ${reading.why}.` });
  const isOver = reading.journal.outcome !== undefined && lastConsentIsSettled;
  return isOver ? undefined : wait("SourceBusy");
}

function namesakeWaits(s: Offered): Verdict {
  return s.namesakeWaits
    ? wait("SourceBusy", { detail: "The volume of an earlier claim of this name waits for somebody to accept it." })
    : undefined;
}

function secretsInSource({ volume, source, wish }: Offered): Verdict {
  const { namespace } = source.metadata;
  const staysInside = wish.is === "clear" && wish.namespace === namespace;
  return volume !== undefined && !staysInside && secretNamespaces(volume).includes(namespace)
    ? wait("SecretInSource", { detail: "The volume needs Secrets of this namespace." })
    : undefined;
}

/** Who deletes a given claim has its quota back, and the disk lives on. */
function tooMany({ pending, mostPending }: Offered): Verdict {
  return pending < mostPending
    ? undefined
    : wait("TooManyGives", { detail: `${pending} gives of this namespace wait already.`, recheckSeconds: 30 });
}
