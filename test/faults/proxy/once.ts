/** Something that is to happen once, and whether it has. */
export interface Once {
  fired(): boolean;
  readonly whenFired: Promise<void>;
}

export interface Pending extends Once {
  readonly resource: string | undefined;
  fire(): void;
}

export function pendingFor(resource: string | undefined): Pending {
  const { promise: whenFired, resolve } = Promise.withResolvers<void>();
  let hasFired = false;
  return {
    resource,
    whenFired,
    fired: () => hasFired,
    fire() {
      hasFired = true;
      resolve();
    },
  };
}

/** The first that waits for this resource, or for any; it is taken away. */
export function takeFor(waiting: Set<Pending>, resource: string): Pending | undefined {
  for (const pending of waiting) {
    if (pending.resource !== undefined && pending.resource !== resource) continue;
    waiting.delete(pending);
    return pending;
  }
  return undefined;
}
