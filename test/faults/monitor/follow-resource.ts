import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, Resource, Stored } from "../../../src/api/object.ts";
import { keyOf } from "../../../src/kube/cache/store.ts";
import { isAtLeast } from "../../../src/kube/cache/versions.ts";
import { follow, type WatchEvent } from "../../../src/kube/cache/watch-events.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ApiError } from "../../../src/kube/errors.ts";
import type { Version } from "./version.ts";

export interface Following {
  /** Everything up to this version has been seen. */
  position(): string;
  /** Settles only by a failure: a version was missed, and nothing can be said of the run any more. */
  readonly ended: Promise<void>;
}

const silentMilliseconds = 150_000;
const watchSeconds = 600;
const pauseMilliseconds = 50;

/** Tells every version of one resource from the list on, once and in order, through lost connections. */
export async function followResource(
  client: Client,
  resource: Resource,
  tell: (version: Version) => void,
  stop: AbortSignal,
): Promise<Following> {
  let position = "";
  for await (const page of client.pages(resource, {}, { signal: stop })) {
    for (const object of page.items) tell(versionOf(resource, "ADDED", object));
    position = page.resourceVersion;
  }

  function take(event: WatchEvent): void {
    if (event.type === "ERROR") throw new Missed(resource, position, event.object.message ?? "");
    if (event.type !== "BOOKMARK") tell(versionOf(resource, event.type, event.object));
    const reached = event.object.metadata.resourceVersion ?? "";
    if (isAtLeast(reached, position)) position = reached;
  }

  async function watchOnce(): Promise<void> {
    const query = { resourceVersion: position, allowWatchBookmarks: "true", timeoutSeconds: String(watchSeconds) };
    const { body } = await client.watch(resource, {}, query, { signal: stop });
    await follow(body, take, { silentMilliseconds, signal: stop });
  }

  async function run(): Promise<void> {
    while (!stop.aborted) {
      await watchOnce().catch((problem: unknown) => {
        if (problem instanceof Missed) throw problem;
        if (problem instanceof ApiError && problem.isExpired) throw new Missed(resource, position, problem.message);
      });
      await sleep(pauseMilliseconds, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  const ended = run();
  // Whoever waits for the monitor is told; until then nobody listens.
  ended.catch(() => undefined);
  return { position: () => position, ended };
}

/** The server has forgotten what came after our position. */
export class Missed extends Error {
  override readonly name = "Missed";

  constructor({ plural }: Resource, position: string, why: string) {
    super(`versions of ${plural} after ${position} were missed: ${why}`);
  }
}

export function versionOf({ plural }: Resource, type: Version["type"], object: Stored<KubeObject>): Version {
  const { uid, resourceVersion } = object.metadata;
  return { resource: plural, key: keyOf(object), uid, resourceVersion, type, object };
}
