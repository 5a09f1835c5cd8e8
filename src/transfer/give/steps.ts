import { isDeepStrictEqual } from "node:util";
import { persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import type { GiveJournal } from "../../api/transfer/journal.ts";
import { allowAnnotation, holdFinalizer } from "../../api/transfer/names.ts";
import { giveOn } from "../../api/transfer/wish.ts";
import { Change } from "../../kube/json-patch.ts";
import { lock } from "../../rebind/rebind.ts";
import type { Hand } from "../../runtime/hand.ts";
import { must, Overtaken } from "../../runtime/must.ts";
import { shapeOf } from "../claim-shape.ts";
import { wasBoundByController } from "../seen.ts";
import type { Step } from "./rules.ts";
import type { Offered } from "./seen.ts";

const steps: Readonly<Record<Step, (seen: Offered, hand: Hand) => Promise<unknown>>> = {
  /** The journal and Retain in one write: from here on its owner may delete the claim, and nothing is lost. */
  async "lock-volume"(seen, hand) {
    const volume = must(seen.volume, "a volume");
    const journal = journalFor(seen);
    await requireGive(seen, hand);
    await hand.patch(persistentVolumes, volume.metadata, lock(volume, journal));
    const { source, target } = journal;
    const route = `${source.namespace}/${source.name} is given to ${target.namespace}/${target.name}`;
    const message = `${route}. Its volume is kept: the claim may be deleted.`;
    const told = { type: "Normal", reason: "TransferStarted", message } as const;
    hand.tell({ ...told, resource: persistentVolumeClaims, object: seen.source });
    hand.tell({ ...told, resource: persistentVolumes, object: volume });
  },
  async "release-hold"({ source }, hand) {
    const change = new Change(source, { anyVersion: true }).removeFinalizer(holdFinalizer);
    await hand.patch(persistentVolumeClaims, source.metadata, change.operations);
  },
};

export async function actOnOffer(step: Step, seen: Offered, hand: Hand): Promise<unknown> {
  return await steps[step](seen, hand);
}

/** A give that was withdrawn a moment ago must not be locked again: its owner may be deleting the claim for good. */
async function requireGive({ source, wish }: Offered, { live }: Hand): Promise<void> {
  const { namespace = "", name, uid } = source.metadata;
  const found = await live.find(persistentVolumeClaims, { namespace, name });
  if (found?.metadata.uid !== uid || !isDeepStrictEqual(giveOn(found), wish))
    throw new Overtaken("the give was withdrawn");
  if (found.metadata.annotations?.[allowAnnotation] === "false") throw new Overtaken("its owner keeps it out");
}

function journalFor(seen: Offered): GiveJournal {
  const { source, wish, now } = seen;
  const volume = must(seen.volume, "a volume");
  if (wish.is !== "clear") throw new Error("a step was taken without a wish");
  const { namespace = "", name, uid } = source.metadata;
  return {
    v: 1,
    door: "annotation",
    id: uid,
    volumeUID: volume.metadata.uid,
    source: { namespace, namespaceUID: must(seen.sourceNamespaceUID, "a source namespace"), name, uid },
    target: {
      namespace: wish.namespace,
      namespaceUID: must(seen.targetNamespace, "a target namespace").metadata.uid,
      name: wish.name,
    },
    policy: volume.spec?.persistentVolumeReclaimPolicy ?? "Retain",
    boundByController: wasBoundByController(volume),
    claim: shapeOf(source, volume),
    startedAt: now.toISOString(),
  };
}
