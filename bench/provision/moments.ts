import { Failure } from "../../src/api/failure.ts";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { reflect } from "../../src/kube/cache/reflector.ts";
import type { Client } from "../../src/kube/client.ts";
import { storageProvisionerAnnotation } from "../../src/provision/names.ts";

/** When each thing was seen of one claim, by one clock, in milliseconds. */
export interface Moments {
  created: number;
  /** The binder has asked for a volume. */
  asked?: number;
  /** The volume's object is there. */
  written?: number;
  bound?: number;
  /** The volume's object is gone. */
  gone?: number;
}

export type Moment = keyof Moments;

/** The benchmark's own eyes: two watches, and a note of when each thing was first seen. */
export interface Observer {
  /** Of every claim since the last time that everything was forgotten. */
  all(): readonly Moments[];
  forget(): void;
  /** Until so many claims have come that far. */
  until(moment: Moment, count: number): Promise<void>;
  close(): Promise<void>;
}

const longestMinutes = 20;

export async function observerOn(client: Client, stop: AbortSignal): Promise<Observer> {
  const seen = new Map<string, Moments>();
  const counts = new Map<Moment, number>();
  let look: () => void = () => undefined;

  function note(uid: string | undefined, moment: Exclude<Moment, "created">): void {
    const moments = seen.get(uid ?? "");
    if (moments === undefined || moments[moment] !== undefined) return;
    moments[moment] = performance.now();
    counts.set(moment, (counts.get(moment) ?? 0) + 1);
    look();
  }

  function noteClaim({ metadata, spec, status }: Stored<PersistentVolumeClaim>): void {
    const { uid, annotations = {} } = metadata;
    // What is left of an earlier measurement is none of this one's.
    if (!seen.has(uid) && (spec?.volumeName ?? "") === "") {
      seen.set(uid, { created: performance.now() });
      counts.set("created", (counts.get("created") ?? 0) + 1);
      look();
    }
    if (annotations[storageProvisionerAnnotation] !== undefined) note(uid, "asked");
    if (status?.phase === "Bound") note(uid, "bound");
  }

  const claims = reflect({ client, resource: persistentVolumeClaims, project: slim, onTrouble });
  const volumes = reflect({ client, resource: persistentVolumes, project: slim, onTrouble });
  await Promise.all([claims.untilSynced(), volumes.untilSynced()]);
  claims.cache.onChange((_, after) => {
    if (after !== undefined) noteClaim(after);
  });
  volumes.cache.onChange((before, after) => {
    const uid = (after ?? before)?.spec?.claimRef?.uid;
    note(uid, after === undefined ? "gone" : "written");
  });
  return {
    all: () => [...seen.values()],
    forget() {
      seen.clear();
      counts.clear();
    },
    async until(moment, count) {
      stop.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const far = () => counts.get(moment) ?? 0;
      const late = setTimeout(
        () => {
          const what = `only ${far()} of ${count} claims are ${moment} after ${longestMinutes} minutes`;
          reject(new Failure(what, "Run it again on a quieter machine."));
        },
        longestMinutes * 60 * 1000,
      );
      look = () => {
        if (far() >= count) resolve();
      };
      look();
      const end = () => reject(stop.reason as Error);
      stop.addEventListener("abort", end, { once: true });
      await promise.finally(() => {
        clearTimeout(late);
        stop.removeEventListener("abort", end);
        look = () => undefined;
      });
    },
    async close() {
      await Promise.all([claims.stop(), volumes.stop()]);
    },
  };
}

/** It goes on by itself; a watch that stayed away would be seen in the figures. */
const onTrouble = () => undefined;

function slim<T extends PersistentVolume | PersistentVolumeClaim>({ metadata, spec, status }: Stored<T>): Stored<T> {
  const { name, namespace, uid, resourceVersion, annotations } = metadata;
  const place = namespace === undefined ? {} : { namespace };
  return { metadata: { name, ...place, uid, resourceVersion, annotations }, spec, status } as Stored<T>;
}
