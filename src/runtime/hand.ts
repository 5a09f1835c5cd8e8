import type { KubeObject, ObjectKey, Resource, Stored } from "../api/object.ts";
import type { Trouble, Troubled } from "../api/trouble.ts";
import { type Client, type DeleteOptions, isRemoved, type WriteOptions } from "../kube/client.ts";
import type { Operation } from "../kube/json-patch.ts";
import type { Note } from "./report.ts";
import type { Sources } from "./sources.ts";

/**
 * What a step may do to the world: one write, with preconditions. Every write asks first whether we still hold the
 * lease with time to spare, and every answer is in the caches before the next look.
 */
export interface Hand {
  /** Reads past the cache, for what must be true right before a destructive act. */
  readonly live: Pick<Client, "get" | "find" | "pages">;
  /** Aborted at the step's deadline. */
  readonly signal: AbortSignal;
  create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<Stored<T>>;
  /** Whether the server would take it: everything is done but stored, so it is no write. */
  preview<T extends KubeObject>(resource: Resource<T>, object: T): Promise<Stored<T>>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    operations: readonly Operation[],
    options?: Pick<WriteOptions, "subresource">,
  ): Promise<Stored<T>>;
  update<T extends KubeObject>(resource: Resource<T>, object: Stored<T>): Promise<Stored<T>>;
  apply<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: Pick<WriteOptions, "subresource">,
  ): Promise<Stored<T>>;
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey & { readonly uid: string },
    options?: DeleteOptions,
  ): Promise<Stored<T> | undefined>;
  /** Before a call to a driver: the same question as before a write. */
  requireLease(): void;
  tell(note: Note): void;
}

export interface HandOptions {
  readonly client: Client;
  readonly sources: Pick<Sources, "wrote" | "ended">;
  readonly holdsLease: () => boolean;
  readonly signal: AbortSignal;
  readonly tell: (note: Note) => void;
}

/** Somebody else may be acting already. Nothing was sent. */
export class LeaseInDoubt extends Error implements Troubled {
  override readonly name = "LeaseInDoubt";
  readonly trouble: Trouble = "transient";

  constructor() {
    super("the lease may have passed to another replica");
  }
}

export function handOf({ client, sources, holdsLease, signal, tell }: HandOptions): Hand {
  let hasWritten = false;

  function requireLease(): void {
    signal.throwIfAborted();
    if (!holdsLease()) throw new LeaseInDoubt();
  }

  /** Two writes in one step would leave a state between them that no look ever sees. */
  async function once<R>(write: () => Promise<R>): Promise<R> {
    requireLease();
    if (hasWritten) throw new Error("a step writes once");
    hasWritten = true;
    return await write();
  }

  async function shown<T extends KubeObject>(
    resource: Resource<T>,
    write: () => Promise<Stored<T>>,
  ): Promise<Stored<T>> {
    const object = await once(write);
    // Its version is that of the object that was there before: a cache that has seen that one would go on showing it.
    if (isRemoved(object)) sources.ended(resource, object.metadata, object.metadata.uid);
    else sources.wrote(resource, object);
    return object;
  }

  return {
    live: client,
    signal,
    requireLease,
    tell,
    preview: (resource, object) => client.create(resource, object, { signal, dryRun: true }),
    create: (resource, object) => shown(resource, () => client.create(resource, object, { signal })),
    update: (resource, object) => shown(resource, () => client.update(resource, object, { signal })),
    patch: (resource, key, operations, options) =>
      shown(resource, () => client.patch(resource, key, operations, { ...options, signal })),
    apply: (resource, object, options) =>
      shown(resource, () => client.apply(resource, object, { ...options, signal, force: true })),
    async delete(resource, key, options) {
      const left = await once(() => client.delete(resource, key, { ...options, signal }));
      if (left === undefined) sources.ended(resource, key, key.uid);
      else sources.wrote(resource, left);
      return left;
    },
  };
}
