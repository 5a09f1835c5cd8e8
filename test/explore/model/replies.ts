import type { Cause } from "../../../src/kube/errors.ts";
import { type Kind, membersOf } from "./kinds.ts";
import type { Saved } from "./server.ts";

/** What goes back: the object, a list, or a Status. */
export interface Reply {
  readonly code: number;
  readonly body: object;
}

/** A write is refused: nothing is stored, and this is said. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly reply: Reply;

  constructor(code: number, reason: string, message: string, details: object = {}) {
    super(message);
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
    this.reply = { code, body: { ...status, message, reason, details, code } };
  }
}

interface Named {
  readonly kind: Kind;
  readonly name: string;
}

function detailsOf({ kind: { resource }, name }: Named): object {
  return { name, kind: resource.plural, ...(resource.group === "" ? {} : { group: resource.group }) };
}

export function notFound(what: Named): Refused {
  const message = `${what.kind.resource.plural} "${what.name}" not found`;
  return new Refused(404, "NotFound", message, detailsOf(what));
}

export function notServed(): Refused {
  return new Refused(404, "NotFound", "the server could not find the requested resource");
}

export function alreadyExists(what: Named): Refused {
  const message = `${what.kind.resource.plural} "${what.name}" already exists`;
  return new Refused(409, "AlreadyExists", message, detailsOf(what));
}

export function overtaken(what: Named, why = "the object has been modified"): Refused {
  const message = `Operation cannot be fulfilled on ${what.kind.resource.plural} "${what.name}": ${why}`;
  return new Refused(409, "Conflict", message, detailsOf(what));
}

export function invalid(what: Named, causes: readonly Cause[]): Refused {
  const message = `${what.kind.resource.kind} "${what.name}" is invalid: ${causes[0]?.message ?? ""}`;
  return new Refused(422, "Invalid", message, { ...detailsOf(what), kind: what.kind.resource.kind, causes });
}

/** A failed test, a missing path and a senseless operation are all answered so. */
export function unfitPatch(): Refused {
  return new Refused(422, "Invalid", "the server rejected our request due to an error in our request");
}

export function otherName(name: string, asked: string): Refused {
  return new Refused(
    400,
    "BadRequest",
    `the name of the object (${name}) does not match the name on the URL (${asked})`,
  );
}

export function terminating(what: Named, namespace: string): Refused {
  const message = `${what.kind.resource.plural} "${what.name}" is forbidden: ${namespace} is being terminated`;
  const causes = [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }];
  return new Refused(403, "Forbidden", message, { ...detailsOf(what), causes });
}

export function shown({ resource }: Kind, object: Saved, code = 200): Reply {
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  return { code, body: { kind: resource.kind, apiVersion, ...object } };
}

export function gone(kind: Kind, object: Saved): Reply {
  const details = { ...detailsOf({ kind, name: object.metadata.name }), uid: object.metadata.uid };
  return { code: 200, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details } };
}

export function isFailure({ body }: Reply): boolean {
  return membersOf(body)["kind"] === "Status" && membersOf(body)["status"] === "Failure";
}
