import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import type { Client } from "../../../src/kube/client.ts";
import { followResource } from "../../faults/monitor/follow-resource.ts";
import type { Version } from "../../faults/monitor.ts";

/** A kind of object, and in which group each of them is looked for. */
export interface Watched {
  readonly resource: Resource;
  readonly groupOf: (object: Stored<KubeObject>) => string | undefined;
}

export interface Seen<T extends KubeObject> {
  readonly type: Version["type"];
  readonly object: Stored<T>;
}

/** Every version of some kinds of object, as the server stores them. */
export interface Sight {
  /** The oldest first. */
  versions<T extends KubeObject>(resource: Resource<T>, group: string): readonly Seen<T>[];
  now<T extends KubeObject>(resource: Resource<T>, key: string): Stored<T> | undefined;
  /** Whether it came true in time. It is asked again whenever something has happened. */
  until(holds: () => boolean): Promise<boolean>;
  stop(): Promise<void>;
}

/** Long enough for a busy machine and a few rounds of retrying; what takes longer never happens. */
const waitSeconds = 90;

export async function sightOf(client: Client, watched: readonly Watched[]): Promise<Sight> {
  const stopping = new AbortController();
  const seen = new Map<string, Version[]>();
  const now = new Map<string, Version>();
  const waiting = new Set<() => void>();

  const tell = (groupOf: Watched["groupOf"]) => (version: Version) => {
    const group = `${version.resource} ${groupOf(version.object) ?? ""}`;
    seen.set(group, [...(seen.get(group) ?? []), version]);
    const place = `${version.resource} ${version.key}`;
    if (version.type === "DELETED") now.delete(place);
    else now.set(place, version);
    for (const look of waiting) look();
  };
  const following = await Promise.all(
    watched.map(({ resource, groupOf }) => followResource(client, resource, tell(groupOf), stopping.signal)),
  );

  return {
    versions: <T extends KubeObject>({ plural }: Resource<T>, group: string) =>
      (seen.get(`${plural} ${group}`) ?? []).map(({ type, object }) => ({ type, object: object as Stored<T> })),
    now: <T extends KubeObject>({ plural }: Resource<T>, key: string) =>
      now.get(`${plural} ${key}`)?.object as Stored<T> | undefined,
    async until(holds) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const look = () => void (holds() && resolve(true));
      waiting.add(look);
      const late = setTimeout(() => resolve(holds()), waitSeconds * 1000);
      look();
      try {
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(look);
      }
    },
    async stop() {
      stopping.abort(new Error("the comparison is over"));
      await Promise.all(following.map(({ ended }) => ended));
    },
  };
}
