import { isDeepStrictEqual } from "node:util";
import { defined } from "../../src/api/defined.ts";
import { namespaces } from "../../src/api/gen/core.ts";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import { keyOf } from "../../src/kube/cache/store.ts";
import { masked } from "./mask.ts";
import { coreKinds, type Kind } from "./model/kinds.ts";
import { isFailure } from "./model/replies.ts";
import { answerTo, type Request } from "./model/requests.ts";
import { emptyServer, placeOf, removed, resourceNameOf, type Saved, type Server, stored } from "./model/server.ts";
import type { Transition } from "./model/transition.ts";
import type { Change, OwnWrite, Trace, Write } from "./trace.ts";

/** The real cluster did something that the model does not allow, or not so. */
export class Forbidden extends Error {
  override readonly name = "Forbidden";
}

export interface ReplayOptions {
  readonly trace: Trace;
  readonly kinds?: readonly Kind[];
  /** What the others on the server may do. */
  readonly residents: readonly Transition[];
}

export interface Replayed {
  readonly server: Server;
  /** Our writes that stored something, those that did not, the residents' changes, and those taken as they are. */
  readonly counts: { stored: number; vain: number; residents: number; people: number };
}

/** The trace happens again in the model, and everything in it must come out the same. */
export function replay({ trace, kinds = coreKinds, residents }: ReplayOptions): Replayed {
  const counts = { stored: 0, vain: 0, residents: 0, people: 0 };
  let server = homes(trace, emptyServer(kinds));
  let waiting: readonly Write[] = [];
  for (const { resource, object } of trace.start) server = taken(server, resource, "ADDED", object);
  for (const event of trace.events) {
    waiting = stillWaiting(server, waiting);
    if (event.by !== "us") server = changed(event);
    else if (event.version === undefined) waiting = [...waiting, event.write];
    else server = written(event);
  }
  const [left] = stillWaiting(server, waiting);
  if (left !== undefined)
    throw new Forbidden(`${inWords(left)} was answered ${left.code ?? 0}, and the model never does`);
  return { server, counts };

  /** When exactly a write was refused is not known: only that it was, after the write before it. */
  function stillWaiting(now: Server, writes: readonly Write[]): readonly Write[] {
    const left = writes.filter((write) => !isVainIn(now, write));
    counts.vain += writes.length - left.length;
    return left;
  }

  function written({ write, version }: OwnWrite): Server {
    const answer = write.answer as Stored<KubeObject> | undefined;
    const ready = at(server, Number(version), write.verb === "create" ? answer?.metadata.uid : undefined);
    const { server: after, reply } = answerTo(ready, requestOf(write));
    const said = write.answer?.kind === "Status" ? undefined : write.answer;
    if (reply.code !== write.code)
      throw new Forbidden(`${inWords(write)}: ${reply.code} in the model, ${write.code ?? 0} really`);
    if (said !== undefined) mustBeSame(inWords(write), reply.body, said);
    counts.stored++;
    return after;
  }

  function changed(event: Change): Server {
    const { resource, object, type, by, key } = event;
    const ready = at(server, Number(object.metadata.resourceVersion));
    const kind = kindOf(ready, resource);
    if (kind === undefined) return server;
    const place = placeOf(kind.resource, keyOf(object));
    const after = residents
      .values()
      .flatMap((one) => one.from(ready))
      .find((next) => isSame(next.objects.get(place), type, object));
    if (after !== undefined) {
      counts.residents++;
      return after;
    }
    if (by === "kube-controller-manager") {
      const now = JSON.stringify(masked(server.objects.get(place) ?? null));
      throw new Forbidden(
        `the model forbids ${type} ${resource} ${key}: ${JSON.stringify(masked(object))} after ${now}`,
      );
    }
    counts.people++;
    return taken(ready, resource, type, object);
  }
}

/** The next version is the one that the real server gave. */
function at(server: Server, version: number, nextUid?: string): Server {
  return { ...server, version: Math.max(server.version, version - 1), ...defined({ nextUid }) };
}

function isVainIn(server: Server, write: Write): boolean {
  const { server: after, reply } = answerTo(server, requestOf(write));
  return after === server && reply.code === write.code && (isFailure(reply) || reply.code < 300);
}

function kindOf({ kinds }: Server, resource: string): Kind | undefined {
  return kinds.find((kind) => kind.resource.plural === resource || resourceNameOf(kind.resource) === resource);
}

function taken(server: Server, resource: string, type: Change["type"], object: Stored<KubeObject>): Server {
  const kind = kindOf(server, resource);
  if (kind === undefined) return server;
  const ready = at(server, Number(object.metadata.resourceVersion));
  if (type === "DELETED") return removed(ready, kind, plain(object));
  return stored(ready, kind, plain(object));
}

/** Without what only answers and events have. */
function plain(object: KubeObject): Saved {
  const { apiVersion: _, kind: __, metadata, ...rest } = object as Saved;
  const { managedFields: ___, ...kept } = metadata as Saved["metadata"] & { readonly managedFields?: unknown };
  return { ...rest, metadata: kept };
}

function isSame(found: Saved | undefined, type: Change["type"], object: Stored<KubeObject>): boolean {
  if (type === "DELETED" || found === undefined) return type === "DELETED" && found === undefined;
  return isDeepStrictEqual(comparable(found), comparable(object));
}

function mustBeSame(what: string, model: object, real: object): void {
  const [one, other] = [comparable(model as KubeObject), comparable(real as KubeObject)];
  if (!isDeepStrictEqual(one, other))
    throw new Forbidden(`${what}: ${JSON.stringify(one)} in the model, ${JSON.stringify(other)} really`);
}

/** The binder writes down the version of the claim that it had in its cache, which may be any. */
function comparable(object: KubeObject): unknown {
  const { spec, ...rest } = masked(plain(object)) as { readonly spec?: { readonly claimRef?: object } };
  if (spec?.claimRef === undefined) return { ...rest, spec };
  return { ...rest, spec: { ...spec, claimRef: { ...spec.claimRef, resourceVersion: "(any)" } } };
}

function requestOf({ verb, body, group, resource, namespace, name, subresource, userAgent }: Write): Request {
  const place = { group, resource, ...defined({ namespace, name, subresource }) };
  const isMerge = verb === "patch" && !Array.isArray(body);
  return { ...place, verb: isMerge ? "merge" : verb, body, manager: userAgent };
}

/** Namespaces are seldom watched, and always there. */
function homes({ start, events }: Trace, empty: Server): Server {
  const objects = [
    ...start.map(({ object }) => object),
    ...events.flatMap((event) => (event.by === "us" ? [] : [event.object])),
  ];
  const places = events.flatMap((event) => (event.by === "us" ? (event.write.namespace ?? []) : []));
  const names = new Set([...objects.flatMap(({ metadata }) => metadata.namespace ?? []), ...places]);
  const { group, plural } = namespaces;
  let server: Server = { ...empty, version: 0 };
  for (const name of names)
    server = answerTo(server, { verb: "create", group, resource: plural, body: { metadata: { name } } }).server;
  return { ...server, version: 0 };
}

function inWords({ verb, resource, namespace, name }: Write): string {
  return [verb, resource, namespace, name].filter((word) => word !== undefined).join(" ");
}
