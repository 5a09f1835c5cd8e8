import { isDeepStrictEqual } from "node:util";
import { defined } from "../../../src/api/defined.ts";
import { namespaces } from "../../../src/api/gen/core.ts";
import type { Metadata } from "../../../src/api/object.ts";
import { keyOf } from "../../../src/kube/cache/store.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import { checked, shapedAs } from "./checks.ts";
import { patched, Unfit } from "./json-patch.ts";
import { type Kind, membersOf } from "./kinds.ts";
import { applied, merged } from "./merges.ts";
import * as say from "./replies.ts";
import { isHeld, objectOf, placeOf, removed, type Saved, type Server, stored, timeOn } from "./server.ts";

/** One request, as far as the server looks at it. */
export interface Request {
  readonly verb: "get" | "create" | "update" | "patch" | "merge" | "apply" | "delete";
  /** Empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly body?: unknown;
  /** Who applies. */
  readonly manager?: string;
  readonly dryRun?: boolean;
}

export interface Answered {
  readonly server: Server;
  readonly reply: say.Reply;
}

/** Pure: the server afterwards, and what it says. A refused request changes nothing. */
export function answerTo(server: Server, request: Request): Answered {
  try {
    const answered = answers[request.verb](server, kindOf(server, request), request);
    return request.dryRun === true ? { ...answered, server } : answered;
  } catch (problem) {
    if (problem instanceof say.Refused) return { server, reply: problem.reply };
    if (problem instanceof Unfit) return { server, reply: say.unfitPatch().reply };
    throw problem;
  }
}

function kindOf({ kinds }: Server, { group, resource }: Request): Kind {
  const kind = kinds.find((one) => one.resource.group === group && one.resource.plural === resource);
  if (kind === undefined) throw say.notServed();
  return kind;
}

type Verb = (server: Server, kind: Kind, request: Request) => Answered;

const answers: Readonly<Record<Request["verb"], Verb>> = {
  get: (server, kind, request) => ({ server, reply: say.shown(kind, found(server, kind, request)) }),
  create: (server, kind, { namespace, body }) => made(server, kind, namespace, body),
  update(server, kind, request) {
    const before = found(server, kind, request);
    const { uid } = membersOf(membersOf(request.body)["metadata"]) as Metadata;
    if (uid !== undefined && uid !== before.metadata.uid)
      throw say.overtaken({ kind, name: before.metadata.name }, "the UID in the precondition does not match");
    return written(server, kind, request, membersOf(request.body) as Saved);
  },
  patch(server, kind, request) {
    const before = found(server, kind, request);
    return written(server, kind, request, patched(before, request.body as readonly Operation[]));
  },
  merge(server, kind, request) {
    return written(server, kind, request, merged(found(server, kind, request), request.body) as Saved);
  },
  apply,
  delete: deleted,
};

function found(server: Server, kind: Kind, { namespace, name = "" }: Request): Saved {
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const object = server.objects.get(placeOf(kind.resource, key));
  if (object === undefined) throw say.notFound({ kind, name });
  return object;
}

function made(server: Server, kind: Kind, namespace: string | undefined, body: unknown): Answered {
  const content = membersOf(body) as Saved;
  const { name = "", labels, annotations, finalizers, ownerReferences } = membersOf(content.metadata) as Metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  mayBeMade(server, kind, namespace, name);
  if (server.objects.has(placeOf(kind.resource, key))) throw say.alreadyExists({ kind, name });
  const births = server.births + 1;
  const metadata = {
    name,
    uid: server.nextUid ?? `uid-${births}`,
    resourceVersion: "",
    ...defined({ namespace, labels, annotations, finalizers, ownerReferences }),
    ...(kind.countsGenerations === true ? { generation: 1 } : {}),
    creationTimestamp: timeOn(server),
  };
  const { kind: _, apiVersion: __, status: ___, ...rest } = content;
  const plain: Saved = kind.hasStatus ? { ...rest, metadata } : { ...content, metadata };
  const { nextUid: ____, ...next } = server;
  const after = stored({ ...next, births }, kind, shapedAs(kind, kind.born?.(plain) ?? plain));
  const object = after.objects.get(placeOf(kind.resource, key));
  if (object === undefined) throw new Error(`${key} was not stored`);
  return { server: after, reply: say.shown(kind, object, 201) };
}

function mayBeMade(server: Server, kind: Kind, namespace: string | undefined, name: string): void {
  if (namespace === undefined) return;
  const home = objectOf(server, namespaces, namespace);
  const what = { resource: namespaces, hasStatus: true };
  if (home === undefined) throw say.notFound({ kind: what, name: namespace });
  if (home.status?.phase === "Terminating") throw say.terminating({ kind, name }, namespace);
}

/** What every kind of change comes to: the object as it shall be, compared with the object as it is. */
function written(server: Server, kind: Kind, request: Request, wish: Saved): Answered {
  const before = found(server, kind, request);
  const next = checked(server, kind, before, wish, request.subresource);
  const after = stored(server, kind, next);
  const object = after.objects.get(placeOf(kind.resource, keyOf(before)));
  // One that goes with its last finalizer is answered under the version it had.
  return { server: after, reply: say.shown(kind, object ?? next) };
}

function apply(server: Server, kind: Kind, request: Request): Answered {
  const { namespace, name = "", subresource = "", manager = "" } = request;
  const { apiVersion: _, kind: __, ...wish } = membersOf(request.body);
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const before = server.objects.get(placeOf(kind.resource, key));
  const answered = before === undefined ? appliedAnew(server, kind, request) : appliedTo(before);
  const { uid } = (answered.reply.body as Saved).metadata;
  const record = `${uid} ${manager} ${subresource}`;
  if (isDeepStrictEqual(server.applied.get(record), wish)) return answered;
  const all = new Map(answered.server.applied).set(record, wish);
  return { ...answered, server: { ...answered.server, applied: all } };

  function appliedTo(object: Saved): Answered {
    const last = server.applied.get(`${object.metadata.uid} ${manager} ${subresource}`);
    return written(server, kind, request, applied(object, wish, last) as Saved);
  }
}

/** Without a uid it is made; with one it is another object that was meant, and a status cannot be made. */
function appliedAnew(server: Server, kind: Kind, { namespace, name = "", subresource, body }: Request): Answered {
  const { uid } = membersOf(membersOf(body)["metadata"]) as Metadata;
  if (subresource !== undefined) throw say.notFound({ kind, name });
  if (uid !== undefined) throw say.overtaken({ kind, name }, "the UID does not match");
  return made(server, kind, namespace, body);
}

interface DeleteBody {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

function deleted(server: Server, kind: Kind, request: Request): Answered {
  const object = found(server, kind, request);
  const { name, uid, resourceVersion, deletionTimestamp } = object.metadata;
  const { preconditions = {} } = membersOf(request.body) as DeleteBody;
  if ((preconditions.uid ?? uid) !== uid) throw say.overtaken({ kind, name }, "the UID does not match");
  if ((preconditions.resourceVersion ?? resourceVersion) !== resourceVersion) throw say.overtaken({ kind, name });
  if (!isHeld(kind, object)) {
    const reply = kind.answersDeleted === true ? say.shown(kind, object) : say.gone(kind, object);
    return { server: removed(server, kind, object), reply };
  }
  if (deletionTimestamp !== undefined) return { server, reply: say.shown(kind, object) };
  const after = stored(server, kind, onItsWayOut(kind, object, timeOn(server)));
  return { server: after, reply: say.shown(kind, found(after, kind, request)) };
}

function onItsWayOut(kind: Kind, object: Saved, deletionTimestamp: string): Saved {
  const isNamespace = kind.resource.plural === namespaces.plural && kind.resource.group === "";
  // A namespace has a phase instead of the period.
  const period = isNamespace ? {} : { deletionGracePeriodSeconds: 0 };
  const metadata = { ...object.metadata, deletionTimestamp, ...period };
  return { ...object, metadata, ...(isNamespace ? { status: { phase: "Terminating" } } : {}) };
}
