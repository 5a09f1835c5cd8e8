import type { KubeObject, Stored } from "../api/object.ts";

/** Who wrote which field is half of an object, and nothing that we ever ask. */
export function bare<T extends KubeObject>(object: Stored<T>): Stored<T> {
  const { managedFields: _, ...metadata } = object.metadata as Stored<T>["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}
