import type { KubeObject, Metadata, Stored } from "../../src/api/object.ts";
import type { Version } from "../faults/monitor.ts";
import type { WriteRecord } from "../faults/proxy/write-record.ts";
import { type Writer, writerOf } from "./writer.ts";

/** What a trace needs of a write that went through the proxy. */
export type Write = Pick<
  WriteRecord,
  "verb" | "group" | "resource" | "namespace" | "name" | "subresource" | "body" | "code" | "answer" | "userAgent"
>;

/** One change by somebody who is not us. */
export interface Change {
  readonly by: "kube-controller-manager" | "people";
  readonly resource: string;
  readonly key: string;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored<KubeObject>;
}

/** A write of ours; `version` is the one it was stored under, and missing where nothing was stored. */
export interface OwnWrite {
  readonly by: "us";
  readonly write: Write;
  readonly version?: string;
}

/** What happened on a real cluster, in the order in which it was stored. */
export interface Trace {
  readonly start: readonly { readonly resource: string; readonly object: Stored<KubeObject> }[];
  readonly events: readonly (OwnWrite | Change)[];
}

interface Recorded {
  readonly at: number;
  readonly event: OwnWrite | Change;
}

/**
 * A trace of a run: what the proxy has seen us write, and what the monitor has seen stored. Writes that stored nothing
 * come after the write before them, for nobody knows better.
 */
export function recorded(
  log: readonly WriteRecord[],
  versions: readonly Version[],
  whoWrote: (version: Version, before: Version | undefined) => Writer = writerOf,
): Trace {
  const writes = log.filter(({ upkeep, dryRun, code }) => !upkeep && !dryRun && code !== undefined);
  const ours = new Map<Version, WriteRecord>();
  const events: Recorded[] = [];
  let last = 0;
  for (const write of writes) {
    const version = versions.find((one) => !ours.has(one) && isStoredBy(write, one));
    if (version === undefined) {
      events.push({ at: last, event: { by: "us", write } });
      continue;
    }
    ours.set(version, write);
    last = Number(version.resourceVersion);
    events.push({ at: last, event: { by: "us", write, version: version.resourceVersion } });
  }
  for (const [index, version] of versions.entries()) {
    if (ours.has(version)) continue;
    const before = versions.slice(0, index).findLast(({ uid }) => uid === version.uid);
    const by = version.type === "ADDED" ? "people" : whoWrote(version, before);
    if (by === "us") throw new Error(`${version.resource} ${version.key} is ours, and the log does not know it`);
    const { resource, key, type, object } = version;
    events.push({ at: Number(version.resourceVersion), event: { by, resource, key, type, object } });
  }
  // The sort keeps the order of equals: what stored nothing stays behind what it came after.
  return { start: [], events: events.sort((a, b) => a.at - b.at).map(({ event }) => event) };
}

/** An answer has the version it was stored under; one that was the end of the object has the version before, or none. */
function isStoredBy(write: WriteRecord, version: Version): boolean {
  if ((write.code ?? 0) >= 300 || version.resource !== write.resource) return false;
  const metadata = write.answer?.kind === "Status" ? undefined : write.answer?.metadata;
  if (metadata === undefined) return version.type === "DELETED" && version.uid === write.preconditions.uid;
  if (isLast(write.verb, metadata)) return version.type === "DELETED" && version.uid === metadata.uid;
  return version.uid === metadata.uid && version.resourceVersion === metadata.resourceVersion;
}

function isLast(verb: WriteRecord["verb"], { deletionTimestamp, finalizers = [] }: Metadata): boolean {
  return finalizers.length === 0 && (verb === "delete" || deletionTimestamp !== undefined);
}
