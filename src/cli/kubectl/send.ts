import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { DryRun } from "./flags.ts";
import { printDone } from "./print.ts";
import type { Session } from "./session.ts";

/** Creates it and prints what was done; undefined when it was only a rehearsal. */
export async function send<T extends KubeObject>(
  session: Session,
  resource: Resource<T>,
  object: T,
  dryRun: DryRun,
): Promise<Stored<T> | undefined> {
  if (dryRun === "client") {
    await printDone(session, resource, object, "created", dryRun);
    return undefined;
  }
  const stored = await session.client.create(resource, object, { dryRun: dryRun === "server" });
  await printDone(session, resource, stored, "created", dryRun);
  return dryRun === "server" ? undefined : stored;
}
