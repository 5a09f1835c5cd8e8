import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import { keyOf } from "../../src/kube/cache/store.ts";
import { isAtLeast } from "../../src/kube/cache/versions.ts";
import type { Where } from "../../src/kube/client.ts";
import { type Happened, placeOf, resourceNameOf, type Saved, type Server } from "./model/server.ts";

export interface Watch {
  readonly resource: Resource;
  readonly where: Where;
}

/** What one watch of a process has told it, and what the process itself has written since. */
export interface View extends Watch {
  readonly told: ReadonlyMap<string, Stored<KubeObject>>;
  /** Everything up to this version has been told. */
  readonly position: number;
  /** Writes of this process that the watch has not told yet, in order. */
  readonly own: readonly Own[];
}

export type Own =
  | { readonly wrote: Stored<KubeObject> }
  | { readonly ended: { readonly key: string; readonly uid: string } };

export interface Event {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Saved;
  readonly version: number;
}

/** As after a first list, or a list again: what is there now is known, and what happened in between never is. */
export function listed(server: Server, { resource, where }: Watch, before?: View): View {
  const begin = `${resourceNameOf(resource)} `;
  const told = new Map<string, Stored<KubeObject>>();
  for (const [place, object] of server.objects)
    if (place.startsWith(begin) && isShown(where, object)) told.set(keyOf(object), object);
  const own = (before?.own ?? []).filter(
    (one) => "ended" in one && told.get(one.ended.key)?.metadata.uid === one.ended.uid,
  );
  return { resource, where, told, position: server.version, own };
}

/** What the watch has still to tell, in order. */
export function pendingIn(server: Server, view: View): readonly Event[] {
  const name = resourceNameOf(view.resource);
  const { happened } = server;
  const events: Event[] = [];
  for (let i = happened.length - 1; i >= 0; i--) {
    const one = happened[i];
    if (one === undefined || one.version <= view.position) break;
    const event = one.resource === name ? eventOf(view.where, one) : undefined;
    if (event !== undefined) events.unshift(event);
  }
  return events;
}

/** An object that comes to fit the selector is added for who watches, and one that fits no more is deleted. */
function eventOf(where: Where, { before, after, version }: Happened): Event | undefined {
  const wasShown = before !== undefined && isShown(where, before);
  const isShownNow = after !== undefined && isShown(where, after);
  if (isShownNow) return { type: wasShown ? "MODIFIED" : "ADDED", object: after, version };
  if (!wasShown) return undefined;
  const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(version) } };
  return { type: "DELETED", object, version };
}

export function delivered(view: View, { type, object, version }: Event): View {
  const key = keyOf(object);
  const told = new Map(view.told);
  if (type === "DELETED") told.delete(key);
  else told.set(key, ownOf(view, object) ?? object);
  const own = view.own.filter((one) => {
    if ("ended" in one) return type !== "DELETED" || one.ended.uid !== object.metadata.uid;
    return !isAtLeast(String(version), one.wrote.metadata.resourceVersion);
  });
  return { ...view, told, position: version, own };
}

/** An answer that was the last word on an object is under the version it had before, and stays. */
function ownOf({ own }: View, { metadata }: Saved): Stored<KubeObject> | undefined {
  const same = own.findLast(
    (one) =>
      "wrote" in one &&
      one.wrote.metadata.uid === metadata.uid &&
      one.wrote.metadata.resourceVersion === metadata.resourceVersion,
  );
  return same !== undefined && "wrote" in same ? same.wrote : undefined;
}

export function withOwn(view: View, own: Own): View {
  // The end of what was never seen is not remembered.
  if ("ended" in own && uidAt(view, own.ended.key) !== own.ended.uid) return view;
  if ("wrote" in own && isAtLeast(String(view.position), own.wrote.metadata.resourceVersion)) return view;
  return isKnown(view, own) ? view : { ...view, own: [...view.own, own] };
}

/** Who is shown under this key. */
function uidAt({ told, own }: View, key: string): string | undefined {
  let now = told.get(key)?.metadata;
  for (const one of own) {
    if ("ended" in one) now = now?.uid === one.ended.uid ? undefined : now;
    else if (keyOf(one.wrote) === key) now = one.wrote.metadata;
  }
  return now?.uid;
}

/** A write that changed nothing is answered with what the one before it was answered with. */
function isKnown({ own }: View, next: Own): boolean {
  if (!("wrote" in next)) return false;
  const { uid, resourceVersion, finalizers = [] } = next.wrote.metadata;
  const isSame = ({ wrote: { metadata } }: Extract<Own, { wrote: unknown }>) =>
    metadata.uid === uid &&
    metadata.resourceVersion === resourceVersion &&
    (metadata.finalizers ?? []).length === finalizers.length;
  return own.some((one) => "wrote" in one && isSame(one));
}

/** The same view with own writes as the server keeps them: an answer has a few members more, and is another object. */
export function interned(server: Server, view: View): View {
  if (view.own.length === 0) return view;
  const own = view.own.map((one) => {
    if (!("wrote" in one)) return one;
    const { metadata } = one.wrote;
    const kept = server.objects.get(placeOf(view.resource, keyOf(one.wrote)));
    const isKept = kept?.metadata.uid === metadata.uid && kept.metadata.resourceVersion === metadata.resourceVersion;
    // One that went with its last finalizer is not what is kept under that version.
    return isKept && (kept.metadata.finalizers ?? []).length === (metadata.finalizers ?? []).length
      ? { wrote: kept }
      : one;
  });
  return { ...view, own };
}

export function isShown({ namespace, labelSelector, fieldSelector }: Where, { metadata }: Saved): boolean {
  if (fieldSelector !== undefined) throw new Error("the model knows no field selectors");
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  return (labelSelector ?? "").split(",").every((term) => isSelected(term.trim(), metadata.labels ?? {}));
}

function isSelected(term: string, labels: Readonly<Record<string, string>>): boolean {
  if (term === "") return true;
  const [, label = "", no, value] = /^([^=!\s]+)(?:(!?)==?(.*))?$/.exec(term) ?? [];
  if (label === "") throw new Error(`the model does not know the selector ${term}`);
  if (value === undefined) return labels[label] !== undefined;
  return (labels[label] === value) === (no === "");
}
