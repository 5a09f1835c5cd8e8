import { isDeepStrictEqual } from "node:util";
import { defined } from "../../../src/api/defined.ts";
import type { Metadata } from "../../../src/api/object.ts";
import type { Cause } from "../../../src/kube/errors.ts";
import { type Kind, membersOf } from "./kinds.ts";
import { invalid, otherName, overtaken } from "./replies.ts";
import { type Saved, type Server, timeOn } from "./server.ts";

/** What is really written when this is wished: the server keeps what is its own, and refuses what must not change. */
export function checked(
  server: Server,
  kind: Kind,
  before: Saved,
  wish: Saved,
  subresource: string | undefined,
): Saved {
  const { name, uid, resourceVersion } = before.metadata;
  const asked = membersOf(wish.metadata) as Metadata;
  // The status of a kind of our own is written without its labels and all else.
  const taken = subresource === "status" && kind.countsGenerations === true ? before.metadata : asked;
  if ((asked.name ?? name) !== name) throw otherName(asked.name ?? "", name);
  if (isOther(asked.resourceVersion, resourceVersion)) throw overtaken({ kind, name });
  const next = shapedAs(kind, { ...bodyOf(kind, before, wish, subresource), metadata: metadataOf(before, taken) });
  const causes = [...(isOther(asked.uid, uid) ? [otherUid, otherUid] : []), ...faultsOf(kind, before, next)];
  if (causes.length > 0) throw invalid({ kind, name }, causes);
  return stamped(server, kind, before, next);
}

function isOther(asked: string | undefined, stored: string): boolean {
  return asked !== undefined && asked !== "" && asked !== stored;
}

const otherUid: Cause = { reason: "FieldValueInvalid", message: "field is immutable", field: "metadata.uid" };

/** Identity, version and the deletion are the server's; labels, annotations and finalizers are whoever writes them. */
function metadataOf(before: Saved, asked: Metadata): Saved["metadata"] {
  const { labels: _, annotations: __, finalizers: ___, ownerReferences: ____, ...own } = before.metadata;
  const { labels, annotations, finalizers, ownerReferences } = asked;
  return { ...own, ...defined({ labels, annotations, finalizers, ownerReferences }) };
}

/** Through `/status` nothing but the status, and in kinds of Kubernetes itself the metadata; else everything but it. */
function bodyOf(kind: Kind, before: Saved, wish: Saved, subresource: string | undefined): Readonly<Saved> {
  if (!kind.hasStatus) return wish;
  const { status, ...rest } = wish;
  const { status: old, ...kept } = before;
  const [body, said] = subresource === "status" ? [kept, status] : [rest, old];
  return { ...body, ...(said === undefined ? {} : { status: said }) };
}

function faultsOf(kind: Kind, before: Saved, after: Saved): readonly Cause[] {
  const held = before.metadata.finalizers ?? [];
  const late = (after.metadata.finalizers ?? []).filter((finalizer) => !held.includes(finalizer));
  const isTooLate = before.metadata.deletionTimestamp !== undefined && late.length > 0;
  const message = "no new finalizers can be added if the object is being deleted";
  const causes = isTooLate ? [{ reason: "FieldValueForbidden", message, field: "metadata.finalizers" }] : [];
  return [...causes, ...(kind.faults?.(before, after) ?? [])];
}

function stamped(server: Server, kind: Kind, before: Saved, next: Saved): Saved {
  const isChanged = kind.countsGenerations === true && !isDeepStrictEqual(before["spec"], next["spec"]);
  const generation = (before.metadata.generation ?? 0) + 1;
  const object = isChanged ? { ...next, metadata: { ...next.metadata, generation } } : next;
  if (kind.resource.plural !== "persistentvolumes") return object;
  const status = membersOf(object["status"]);
  if (status["phase"] === membersOf(before["status"])["phase"]) return object;
  return { ...object, status: { ...status, lastPhaseTransitionTime: timeOn(server) } };
}

/** Members without content are not written, and a null is no member. */
export function shapedAs(kind: Kind, object: Saved): Saved {
  const { kind: _, apiVersion: __, ...rest } = object;
  const metadata = withoutEmpty(rest.metadata, ["labels", "annotations", "finalizers", "ownerReferences"]);
  const plain = withoutEmpty({ ...rest, metadata }, ["data", "binaryData"]) as Saved;
  return kind.shaped?.(plain) ?? plain;
}

function withoutEmpty<T extends object>(members: T, names: readonly string[]): T {
  const isKept = ([name, value]: readonly [string, unknown]) =>
    value !== null && !(names.includes(name) && typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(isKept)) as T;
}
