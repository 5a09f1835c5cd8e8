import { createReadStream } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How often each thing was asked, for instance `create persistentvolumes`. */
export type Calls = ReadonlyMap<string, number>;

interface Line {
  readonly verb: string;
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly requestReceivedTimestamp: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly name?: string };
}

/** What this user has asked of the server in each of these stretches, by the server's audit log, read once. */
export async function callsOf(logs: string, user: string, spans: readonly Span[]): Promise<readonly Calls[]> {
  const tallies = spans.map(() => new Map<string, number>());
  for await (const file of glob("audit*.log", { cwd: logs })) {
    for await (const text of createInterface({ input: createReadStream(join(logs, file)) })) {
      // Most lines are other people's, and parsing is what takes the time.
      if (text.includes(user)) tally(text, user, spans, tallies);
    }
  }
  return tallies;
}

export function tally(
  text: string,
  user: string,
  spans: readonly Span[],
  tallies: readonly Map<string, number>[],
): void {
  const line = JSON.parse(text) as Line;
  // A watch is told of twice: when it begins and when it ends.
  if (line.user.username !== user || line.stage !== "ResponseComplete") return;
  const at = Date.parse(line.requestReceivedTimestamp);
  const kind = `${line.verb} ${resourceOf(line)}`;
  for (const [i, { from, to }] of spans.entries()) {
    const counts = tallies[i];
    if (counts !== undefined && at >= from && at < to) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
}

/** The Lease of whoever leads and those that hold intents are not the same thing. */
function resourceOf({ objectRef }: Line): string {
  const { resource = "", subresource, name = "" } = objectRef ?? {};
  if (resource === "leases") return name.includes("-intents-") ? "leases of intents" : "leases";
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Writes without Events, and without the renewals of the leader's Lease, which come by the clock and not by the claim. */
export function writesIn(calls: Calls): number {
  return sumOf(calls, (verb, resource) => !reads.has(verb) && resource !== "events" && resource !== "leases");
}

export function sumOf(calls: Calls, counts: (verb: string, resource: string) => boolean): number {
  return [...calls].reduce((sum, [kind, count]) => {
    const space = kind.indexOf(" ");
    return counts(kind.slice(0, space), kind.slice(space + 1)) ? sum + count : sum;
  }, 0);
}
