import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import type { Volume } from "./binding.ts";
import { shapedAs } from "./checks.ts";
import type { Kind } from "./kinds.ts";
import { type Saved, type Server, stored, timeOn } from "./server.ts";

/** One write that somebody who lives on the server may do now, or none, or one of several. */
export interface Transition {
  readonly says: string;
  from(server: Server): readonly Server[];
}

export function kindFor({ kinds }: Server, { group, plural }: Resource): Kind | undefined {
  return kinds.find(({ resource }) => resource.group === group && resource.plural === plural);
}

/** The server with this object, if that is a change. */
export function change(server: Server, resource: Resource, next: Stored<KubeObject> | undefined): readonly Server[] {
  const kind = kindFor(server, resource);
  if (next === undefined || kind === undefined) return [];
  const after = stored(server, kind, stampedIn(server, shapedAs(kind, next as Saved)));
  return after === server ? [] : [after];
}

export function phased(volume: Volume, phase: "Available" | "Bound" | "Released"): Volume | undefined {
  if (volume.status?.phase === phase) return undefined;
  return { ...volume, status: { ...volume.status, phase, lastPhaseTransitionTime: now } };
}

/** Stands for the server's time until it is stored. */
const now = "now";

function stampedIn(server: Server, object: Saved): Saved {
  const status = object["status"] as { readonly lastPhaseTransitionTime?: string } | undefined;
  if (status?.lastPhaseTransitionTime !== now) return object;
  return { ...object, status: { ...status, lastPhaseTransitionTime: timeOn(server) } };
}
