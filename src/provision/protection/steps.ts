import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { volumeSnapshots } from "../../api/gen/snapshot.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import type { Hand } from "../../runtime/hand.ts";
import { cloneFinalizer, snapshotFinalizer } from "../names.ts";
import { withFinalizers } from "./protect.ts";
import type { Step } from "./rules.ts";
import type { Source } from "./seen.ts";

export async function actOnSource(_: Step, { kind, namespace, name, uid }: Source, hand: Hand): Promise<void> {
  const place = { namespace, name };
  if (kind === "PersistentVolumeClaim") {
    const found = await hand.live.find(persistentVolumeClaims, place);
    if (isIt(found, uid)) await hand.update(persistentVolumeClaims, without(found, cloneFinalizer));
  } else {
    const found = await hand.live.find(volumeSnapshots, place);
    if (isIt(found, uid)) await hand.update(volumeSnapshots, without(found, snapshotFinalizer));
  }
}

function isIt<T extends KubeObject>(found: Stored<T> | undefined, uid: string): found is Stored<T> {
  return found?.metadata.uid === uid;
}

function without<T extends KubeObject>(object: Stored<T>, finalizer: string): Stored<T> {
  return withFinalizers(
    object,
    (object.metadata.finalizers ?? []).filter((one) => one !== finalizer),
  );
}
