import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import { frozen } from "../../../src/kube/cache/frozen.ts";
import { keyOf } from "../../../src/kube/cache/store.ts";
import type { Kind } from "./kinds.ts";

/** An object as it is stored; whatever members its kind has besides those of all objects. */
export type Saved = Stored<KubeObject> & { readonly [member: string]: unknown };

/** One change of one object. */
export interface Happened {
  readonly version: number;
  /** As in `resourceNameOf`. */
  readonly resource: string;
  readonly before: Saved | undefined;
  readonly after: Saved | undefined;
}

/**
 * An API server as a value: a write answers a new one and leaves this one as it is, so that a state can be kept,
 * branched and hashed. It does only what the real one was seen to do (`same-answers.lane.test.ts`).
 */
export interface Server {
  readonly kinds: readonly Kind[];
  /** By `placeOf`. */
  readonly objects: ReadonlyMap<string, Saved>;
  readonly version: number;
  /** How many objects there ever were. */
  readonly births: number;
  /** Taken by the next object instead of one of our own: a replayed trace has the real ones. */
  readonly nextUid?: string;
  /** Since the beginning; it moves only when somebody moves it. */
  readonly seconds: number;
  /** Every change since the beginning, for those who watch. */
  readonly happened: readonly Happened[];
  /** What each manager has applied last, by `uid manager subresource`. */
  readonly applied: ReadonlyMap<string, object>;
  /** Handles of the volumes that a driver has destroyed. */
  readonly destroyed: ReadonlySet<string>;
}

/** Long numbers of one length that nothing else looks like: a version is known as one wherever it is written down. */
const firstVersion = 70_000_000_000;
const firstMoment = Date.UTC(2026, 0, 1);

export function emptyServer(kinds: readonly Kind[]): Server {
  const nothing = { objects: new Map(), happened: [], applied: new Map(), destroyed: new Set<string>() };
  return { kinds, ...nothing, version: firstVersion, births: 0, seconds: 0 };
}

/** The plural, with its group where it has one. */
export function resourceNameOf({ plural, group }: Pick<Resource, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

export function placeOf(resource: Pick<Resource, "plural" | "group">, key: string): string {
  return `${resourceNameOf(resource)} ${key}`;
}

export function timeOn({ seconds }: Server): string {
  return new Date(firstMoment + seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** All objects of a kind, as their type. */
export function allOf<T extends KubeObject>(server: Server, resource: Resource<T>): readonly Stored<T>[] {
  const begin = `${resourceNameOf(resource)} `;
  const found: Stored<T>[] = [];
  // The place says the kind, and the kind says the type.
  for (const [place, object] of server.objects)
    if (place.startsWith(begin)) found.push(object as KubeObject as Stored<T>);
  return found;
}

export function objectOf<T extends KubeObject>(
  server: Server,
  resource: Resource<T>,
  key: string,
): Stored<T> | undefined {
  return server.objects.get(placeOf(resource, key)) as Stored<T> | undefined;
}

/** Stored under a new version; or not at all, where nothing is different; or gone, where nothing holds it any more. */
export function stored(server: Server, kind: Kind, next: Saved): Server {
  const place = placeOf(kind.resource, keyOf(next));
  const before = server.objects.get(place);
  if (before !== undefined && isDeepStrictEqual(before, next)) return server;
  if (isReleased(kind, next)) return before === undefined ? server : removed(server, kind, next);
  const version = server.version + 1;
  const after = frozen({ ...next, metadata: { ...next.metadata, resourceVersion: String(version) } });
  const resource = resourceNameOf(kind.resource);
  return {
    ...server,
    objects: new Map(server.objects).set(place, after),
    version,
    happened: [...server.happened, { version, resource, before, after }],
  };
}

/** Who watches is told its last state, under the version of its end. */
export function removed(server: Server, kind: Kind, last: Saved): Server {
  const place = placeOf(kind.resource, keyOf(last));
  const objects = new Map(server.objects);
  objects.delete(place);
  const version = server.version + 1;
  const before = frozen({ ...last, metadata: { ...last.metadata, resourceVersion: String(version) } });
  const resource = resourceNameOf(kind.resource);
  return {
    ...server,
    objects,
    version,
    happened: [...server.happened, { version, resource, before, after: undefined }],
  };
}

export function isHeld(kind: Kind, object: Saved): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || kind.isHeld?.(object) === true;
}

function isReleased(kind: Kind, object: Saved): boolean {
  return object.metadata.deletionTimestamp !== undefined && !isHeld(kind, object);
}
