import type { KubeObject, Stored } from "../api/object.ts";

export type Operation =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

type Step = string | number;

/**
 * Patches are built from what was seen: the server answers an operation on a missing path exactly like a failed `test`, so
 * a patch that did not look first would be retried for ever. Every patch begins by testing the identity, and the version
 * unless told otherwise.
 */
export class Change<T extends KubeObject> {
  readonly #seen: Stored<T>;
  readonly #operations: Operation[];
  /** As they will be when the operations so far are done. */
  #finalizers: string[] | undefined;

  constructor(seen: Stored<T>, { anyVersion = false }: { readonly anyVersion?: boolean } = {}) {
    this.#seen = seen;
    const { uid, resourceVersion, finalizers } = seen.metadata;
    this.#finalizers = finalizers === undefined ? undefined : [...finalizers];
    this.#operations = [{ op: "test", path: "/metadata/uid", value: uid }];
    if (!anyVersion) this.#operations.push({ op: "test", path: "/metadata/resourceVersion", value: resourceVersion });
  }

  /** Demands that this is still what we saw, whatever else has changed. */
  expecting(path: readonly Step[]): this {
    // Absence is tested at the topmost parent that is missing: below it even a test for null fails.
    const [place = path] = missingParents(this.#seen, path, this.#operations);
    this.#operations.push({ op: "test", path: pointer(place), value: valueAt(this.#seen, place) ?? null });
    return this;
  }

  set(path: readonly Step[], value: unknown): this {
    for (const parent of missingParents(this.#seen, path, this.#operations)) {
      // Tested first, because "add" would replace what somebody else has put there since.
      this.#operations.push(
        { op: "test", path: pointer(parent), value: null },
        { op: "add", path: pointer(parent), value: {} },
      );
    }
    // "add" sets a member whether or not it is there.
    this.#operations.push({ op: "add", path: pointer(path), value });
    return this;
  }

  /** Leaves out what was not there. */
  remove(path: readonly Step[]): this {
    if (valueAt(this.#seen, path) !== undefined) this.#operations.push({ op: "remove", path: pointer(path) });
    return this;
  }

  /** Takes one finalizer away and leaves those of others alone. */
  removeFinalizer(finalizer: string): this {
    const index = this.#finalizers?.indexOf(finalizer) ?? -1;
    if (index < 0) return this;
    const path = pointer(["metadata", "finalizers", index]);
    this.#operations.push({ op: "test", path, value: finalizer }, { op: "remove", path });
    this.#finalizers?.splice(index, 1);
    return this;
  }

  addFinalizer(finalizer: string): this {
    if (this.#finalizers?.includes(finalizer) === true) return this;
    if (this.#finalizers === undefined) {
      // Tested first, because "add" would replace what somebody else has put there since.
      const path = "/metadata/finalizers";
      this.#operations.push({ op: "test", path, value: null }, { op: "add", path, value: [finalizer] });
      this.#finalizers = [finalizer];
      return this;
    }
    this.#operations.push({ op: "add", path: "/metadata/finalizers/-", value: finalizer });
    this.#finalizers.push(finalizer);
    return this;
  }

  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** Whether there is anything to send besides the tests. */
  get isEmpty(): boolean {
    return this.#operations.every(({ op }) => op === "test");
  }
}

export function pointer(path: readonly Step[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function valueAt(object: unknown, path: readonly Step[]): unknown {
  let value: unknown = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<Step, unknown>)[step];
  }
  return value;
}

/** Parents that are neither in what was seen nor made by an earlier operation of this change. */
function missingParents(
  seen: unknown,
  path: readonly Step[],
  before: readonly Operation[],
): readonly (readonly Step[])[] {
  const parents = path.slice(0, -1).map((_, length) => path.slice(0, length + 1));
  return parents.filter((parent) => {
    const made = before.some((o) => o.op === "add" && o.path === pointer(parent));
    return !made && valueAt(seen, parent) === undefined;
  });
}
