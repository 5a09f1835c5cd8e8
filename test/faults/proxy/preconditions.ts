import { defined } from "../../../src/api/defined.ts";
import type { Metadata } from "../../../src/api/object.ts";
import type { Verb } from "./write-record.ts";

/** What must be so at the server, or the write is refused. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** All `test` operations of a JSON patch, those on uid and resourceVersion included. */
  readonly tests: readonly Test[];
}

export interface Test {
  readonly path: string;
  readonly value: unknown;
}

type Identity = Pick<Metadata, "uid" | "resourceVersion">;

export function preconditionsIn(verb: Verb, body: unknown): Preconditions {
  if (verb === "create" || typeof body !== "object" || body === null) return { tests: [] };
  if (Array.isArray(body)) return testedBy(body as readonly (Test & { readonly op?: string })[]);
  const { preconditions, metadata } = body as { readonly preconditions?: Identity; readonly metadata?: Identity };
  const { uid, resourceVersion } = (verb === "delete" ? preconditions : metadata) ?? {};
  return { ...defined({ uid, resourceVersion }), tests: [] };
}

function testedBy(operations: readonly (Test & { readonly op?: string })[]): Preconditions {
  const tests = operations.filter(({ op }) => op === "test").map(({ path, value }) => ({ path, value }));
  const at = (path: string) => {
    const value = tests.find((test) => test.path === path)?.value;
    return typeof value === "string" ? value : undefined;
  };
  return { ...defined({ uid: at("/metadata/uid"), resourceVersion: at("/metadata/resourceVersion") }), tests };
}
