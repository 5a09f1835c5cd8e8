import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { holdFinalizer } from "../../api/transfer/names.ts";
import { Change } from "../../kube/json-patch.ts";
import { confirm } from "../kubectl/confirm.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import { inWords } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { type Finding, note, ok, unseen } from "./finding.ts";

type Claim = Stored<PersistentVolumeClaim>;

const about = "holds";
const mostNamed = 3;
const release = "kubectl portway doctor --release-holds";

export function isHeld({ metadata }: Claim): boolean {
  return metadata.finalizers?.includes(holdFinalizer) === true;
}

/** Claims that are given, and kept until their volume is locked. That takes a moment, unless something is in the way. */
export async function heldFindings(eyes: Eyes, namespace: string): Promise<readonly Finding[]> {
  const all = await eyes.list(persistentVolumeClaims);
  const seen = all.is === "seen" ? all : await eyes.list(persistentVolumeClaims, { namespace });
  if (seen.is === "unseen") return [unseen(about, "claims, and so whether one is held")];
  return [heldFinding(seen.value.filter(isHeld))];
}

export function heldFinding(held: readonly Claim[]): Finding {
  if (held.length === 0) return ok(about, "no claim is held");
  const named = held.slice(0, mostNamed).map(({ metadata }) => inWords(metadata));
  const more = held.length > named.length ? ` and ${held.length - named.length} more` : "";
  const leaving = held.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length;
  const says = `${held.length} given and not locked yet, ${leaving} of them being deleted: ${named.join(", ")}${more}`;
  return note(about, says, `Their conditions say why. If Portway is to go for good: ${release}.`);
}

/** Before Portway goes for good: nobody would be left who lets them go, and a held claim cannot be deleted. */
export async function releaseHolds(session: Session, isAgreed: boolean): Promise<void> {
  const { client, terminal, namespace, isNamespaceGiven } = session;
  const where = isNamespaceGiven ? { namespace } : {};
  const held = (await listed(client, persistentVolumeClaims, where)).filter(isHeld);
  if (held.length === 0) return terminal.say(`No claim is held${isNamespaceGiven ? ` in ${namespace}` : ""}.`);
  await confirm(terminal, planOf(held), isAgreed);
  for (const claim of held) {
    const { operations } = new Change(claim, { anyVersion: true }).removeFinalizer(holdFinalizer);
    await client.patch(persistentVolumeClaims, claim.metadata, operations);
    await printDone(session, persistentVolumeClaims, claim, "released");
  }
}

function planOf(held: readonly Claim[]): readonly string[] {
  return [
    `Nothing holds ${held.length} claims any more, although their volumes are not locked:`,
    ...held.map(({ metadata }) =>
      metadata.deletionTimestamp === undefined
        ? `  - ${inWords(metadata)} stays`
        : `  - ${inWords(metadata)} is being deleted: it goes now, and its data with it unless the volume's policy is Retain`,
    ),
  ];
}
