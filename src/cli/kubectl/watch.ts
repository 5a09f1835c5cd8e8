import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import { type Reflector, reflect } from "../../kube/cache/reflector.ts";
import type { Where } from "../../kube/client.ts";
import type { Session } from "./session.ts";

/** Keeps looking for as long as the command runs; trouble passes, and is shown while it lasts. */
export function watchOf<T extends KubeObject>(
  { client, terminal }: Pick<Session, "client" | "terminal">,
  resource: Resource<T>,
  where: Where,
): Reflector<T, Stored<T>> {
  const onTrouble = (problem: unknown) =>
    terminal.progress(`trouble with the watch, trying again: ${problem instanceof Error ? problem.message : ""}`);
  return reflect({ client, resource, where, project: (object: Stored<T>) => object, onTrouble });
}
