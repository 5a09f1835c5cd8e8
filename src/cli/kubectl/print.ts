import type { KubeObject, Resource } from "../../api/object.ts";
import type { DryRun } from "./flags.ts";
import type { Session } from "./session.ts";

/** `storagetransferrequest.transfer.portway.dev/transfer-foo`, as kubectl names an object. */
export function fullName({ kind, group }: Pick<Resource, "kind" | "group">, name: string): string {
  return `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
}

const hints: Readonly<Record<DryRun, string>> = { none: "", client: " (dry run)", server: " (server dry run)" };

/** What was done to an object, or the object itself when the person wants to see it. */
export async function printDone(
  { output, terminal }: Pick<Session, "output" | "terminal">,
  resource: Resource,
  object: KubeObject,
  done: string,
  dryRun: DryRun = "none",
): Promise<void> {
  const name = fullName(resource, object.metadata.name ?? "");
  if (output === "name") return terminal.result(name);
  if (output === "json" || output === "yaml") return terminal.result(await dataText(output, bare(resource, object)));
  terminal.result(`${name} ${done}${hints[dryRun]}`);
}

export async function dataText(output: "json" | "yaml", data: unknown): Promise<string> {
  if (output === "json") return JSON.stringify(data, null, 2);
  const { dump } = await import("js-yaml");
  return dump(data, { lineWidth: -1 }).trimEnd();
}

/** The kind first, and without the book-keeping of who wrote which field, which nobody asks for. */
export function bare({ group, version, kind }: Resource, object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, apiVersion: group === "" ? version : `${group}/${version}`, kind, metadata };
}
