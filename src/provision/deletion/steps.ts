import { persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { Change } from "../../kube/json-patch.ts";
import { RpcError } from "../../rpc/errors.ts";
import type { Hand } from "../../runtime/hand.ts";
import { Overtaken } from "../../runtime/must.ts";
import { calling, secretData } from "../ask-driver.ts";
import { inGoWords } from "../go-words.ts";
import { Hindrance } from "../hindrance.ts";
import { eventReasons, volumeFinalizer } from "../names.ts";
import type { Tools } from "../tools.ts";
import type { Volume } from "../watches.ts";
import { deletionSecretOf } from "./deletion-secret.ts";
import type { Step } from "./rules.ts";
import type { Deleted, Ending } from "./seen.ts";

type Act = (seen: Ending, hand: Hand, tools: Tools) => Promise<unknown>;

const steps: Readonly<Record<Step, Act>> = {
  async hold({ volume }, hand) {
    const change = new Change(volume).addFinalizer(volumeFinalizer);
    await hand.patch(persistentVolumes, volume.metadata, change.operations);
  },
  async "let-go"({ volume }, hand, tools) {
    await forgetIntent(volume, tools);
    // Kubernetes takes its own finalizer off at the same moment: what else has changed is nothing to us.
    const change = new Change(volume, { anyVersion: true })
      .expecting(["spec", "persistentVolumeReclaimPolicy"])
      .removeFinalizer(volumeFinalizer);
    await hand.patch(persistentVolumes, volume.metadata, change.operations);
  },
  async "delete-volume"({ volume }, hand, tools): Promise<Deleted> {
    const start = performance.now();
    try {
      await requireReleased(volume, hand);
      await forgetIntent(volume, tools);
      await deleteVolume(volume, hand, tools);
    } catch (problem) {
      if (problem instanceof Overtaken || !(problem instanceof Error)) throw problem;
      tools.metrics.deleteFailed(volume);
      const words = { type: "Warning", reason: eventReasons.deleteFailed, message: inGoWords(problem) } as const;
      hand.tell({ resource: persistentVolumes, object: volume, ...words });
      throw problem;
    }
    const { storageClassName: className, nodeAffinity } = volume.spec ?? {};
    tools.capacityChanged({ className, nodeAffinity });
    tools.metrics.deleted(volume, (performance.now() - start) / 1000);
    return { deletedUid: volume.metadata.uid };
  },
  async "delete-object"({ volume }, hand): Promise<Deleted> {
    const { name, uid } = volume.metadata;
    await hand.delete(persistentVolumes, { name, uid });
    return { deletedUid: uid };
  },
};

export async function actOnEnding(step: Step, seen: Ending, hand: Hand, tools: Tools): Promise<unknown> {
  return await steps[step](seen, hand, tools);
}

/**
 * As long as it is held, a volume shows that its order is carried out. What is stored of the order goes first: after a crash
 * it would be made once more, or one that somebody has kept would be found under its name and deleted.
 */
async function forgetIntent({ metadata, spec }: Volume, { book }: Tools): Promise<void> {
  const uid = spec?.claimRef?.uid ?? "";
  if (book.get(uid)?.order.volume.metadata.name === metadata.name) book.close(uid);
  await book.forgotten(uid);
}

/** A cache that is behind has destroyed volumes of living claims before: the server itself is asked. */
async function requireReleased({ metadata }: Volume, { live, signal }: Hand): Promise<void> {
  const found = await live.find(persistentVolumes, { name: metadata.name }, { signal });
  if (found === undefined || found.metadata.uid !== metadata.uid || !isReleased(found))
    throw new Overtaken("the volume is not as it was seen");
  const { namespace = "", name = "", uid } = found.spec?.claimRef ?? {};
  const claim = name === "" ? undefined : await live.find(persistentVolumeClaims, { namespace, name }, { signal });
  if (claim !== undefined && claim.metadata.uid === uid)
    throw new Hindrance(`the claim ${namespace}/${name} is still there`);
}

function isReleased({ spec, status }: Volume): boolean {
  return status?.phase === "Released" && spec?.persistentVolumeReclaimPolicy === "Delete";
}

/** A driver that does not know it any more has nothing left to delete. */
async function deleteVolume(volume: Volume, hand: Hand, tools: Tools): Promise<void> {
  const place = deletionSecretOf(volume, tools);
  // Without its Secret the driver may still be able to delete it, and says so if not.
  const secrets = place === undefined ? {} : await secretData(place, hand).catch(noneIfMissing);
  const request = { volumeId: volume.spec?.csi?.volumeHandle ?? "", secrets };
  try {
    const { timeoutSeconds } = tools.settings;
    await calling(hand, tools, () => tools.controller.deleteVolume(request, { timeoutSeconds }));
  } catch (problem) {
    if (!(problem instanceof RpcError && problem.code === "NOT_FOUND")) throw problem;
  }
}

function noneIfMissing(problem: unknown): Record<string, string> {
  if (problem instanceof Hindrance) return {};
  throw problem;
}
