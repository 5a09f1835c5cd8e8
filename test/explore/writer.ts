import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import type { Version } from "../faults/monitor.ts";

export type Writer = "us" | "kube-controller-manager" | "people";

const resident = "kube-controller-manager";

type Members = Readonly<Record<string, unknown>>;

interface Managed {
  readonly manager?: string;
  readonly fieldsV1?: Members;
}

/**
 * Whoever owns the fields that have changed. Nobody signs for a delete, nor for what is taken away: the first is people's,
 * the rest the residents'.
 */
export function writerOf({ object, type }: Version, before: Version | undefined): Writer {
  if (type === "DELETED" || before === undefined) return type === "DELETED" ? resident : "people";
  if (object.metadata.deletionTimestamp !== before.object.metadata.deletionTimestamp) return "people";
  const { managedFields = [] } = object.metadata as { readonly managedFields?: readonly Managed[] };
  const owners = changesOf(before.object, object).map((path) =>
    managedFields.filter(({ fieldsV1 }) => owns(fieldsV1, path)).map(({ manager }) => manager),
  );
  return owners.every((names) => names.length === 0 || names.includes(resident)) ? resident : "people";
}

/** Everything by its first two names, and what several may write in by its first three. */
function changesOf(before: Stored<KubeObject>, after: Stored<KubeObject>): readonly (readonly string[])[] {
  return differences(before, after).flatMap((top) => {
    const [old, now] = [memberOf(before, top), memberOf(after, top)];
    return differences(old, now)
      .filter((name) => !unsigned.has(name))
      .flatMap((name) => {
        if (!shared.has(name)) return [[top, name]];
        return differences(memberOf(old, name), memberOf(now, name)).map((one) => [top, name, one]);
      });
  });
}

const shared: ReadonlySet<string> = new Set(["annotations", "labels", "claimRef"]);
const unsigned: ReadonlySet<string> = new Set(["resourceVersion", "managedFields", "generation"]);

function differences(before: unknown, after: unknown): readonly string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter((name) => !isDeepStrictEqual(memberOf(before, name), memberOf(after, name)));
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Members | undefined)?.[name];
}

function owns(fields: Members | undefined, path: readonly string[]): boolean {
  let at: unknown = fields;
  for (const name of path) at = memberOf(at, `f:${name}`);
  return at !== undefined;
}
