import type { KubeObject, ObjectKey, Resource, Stored } from "../../api/object.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import type { Hidden } from "./judge.ts";
import type { Shown } from "./shown.ts";

/** What the engine would look at, as far as this person may see it. */
export interface Looked<S> {
  readonly seen: S;
  readonly hidden: Hidden;
  /** What Portway says itself where nothing else can be seen. */
  readonly assumed: readonly string[];
}

export interface Gathering {
  readonly eyes: Eyes;
  readonly shown: Pick<Shown, "show">;
  readonly hidden: Map<string, string>;
}

/** Looks for one object, shows it to the engine, and hides the fields that depend on it when it may not be seen. */
export async function gather<T extends KubeObject>(
  { eyes, shown, hidden }: Gathering,
  resource: Resource<T>,
  key: ObjectKey,
  ...fields: readonly string[]
): Promise<Stored<T> | undefined> {
  const sight = await eyes.find(resource, key);
  if (sight.is === "unseen") hide(hidden, fields, `${resource.plural}/${key.name}`);
  else shown.show(resource, sight.value);
  return sight.is === "seen" ? sight.value : undefined;
}

export function hide(hidden: Map<string, string>, fields: readonly string[], what: string): void {
  for (const field of fields) hidden.set(field, what);
}
