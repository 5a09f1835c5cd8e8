import { volumeSnapshots } from "../../api/gen/snapshot.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import type { IntentBook } from "../intents/book.ts";
import { cloneFinalizer, snapshotFinalizer } from "../names.ts";
import type { Rights } from "../rights.ts";
import type { Watches } from "../watches.ts";

/** A claim or a snapshot that volumes are filled from. */
export interface Source {
  readonly kind: "PersistentVolumeClaim" | "VolumeSnapshot";
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly isHeld: boolean;
  /** Claims that wait for a volume filled from it, and orders that the driver may be at. */
  readonly users: number;
}

export interface Eyes {
  readonly watches: Watches;
  readonly book: Pick<IntentBook, "values">;
  readonly rights: () => Rights;
  readonly live: Pick<Client, "find">;
}

export async function observeSource({ watches, book, rights, live }: Eyes, key: string): Promise<Source | undefined> {
  const [namespace = "", kind = "", name = ""] = key.split("/");
  const place = { namespace, name };
  const users =
    watches.claims.by("source", key).length + [...book.values()].filter(({ order }) => order.source === key).length;
  if (kind === "PersistentVolumeClaim")
    return sourceIn(kind, watches.claims.get(`${namespace}/${name}`), cloneFinalizer, users);
  // Nobody held it, so nobody has to look; and while it is needed it stays held.
  if (!rights().protectSnapshots || users > 0) return undefined;
  return sourceIn("VolumeSnapshot", await live.find(volumeSnapshots, place), snapshotFinalizer, users);
}

function sourceIn(
  kind: Source["kind"],
  object: Stored<KubeObject> | undefined,
  finalizer: string,
  users: number,
): Source | undefined {
  if (object === undefined) return undefined;
  const { namespace = "", name, uid, finalizers } = object.metadata;
  return { kind, namespace, name, uid, isHeld: finalizers?.includes(finalizer) === true, users };
}
