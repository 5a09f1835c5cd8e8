import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Resource } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { pathOf } from "../../src/kube/paths.ts";
import { connect } from "../connect.ts";
import { type Place, runSubject } from "./subject.ts";

const newline = 10;
const end = Buffer.from("initial-events-end");

/** Asks for the same over the same connection as Portway and drops the bytes: what no client of ours can be quicker than. */
await runSubject(async ({ kubeconfig, claim }: Place) => {
  const client = await connect(kubeconfig);
  return {
    async sync() {
      const both = [linesOf(client, persistentVolumeClaims), linesOf(client, persistentVolumes)];
      return (await Promise.all(both)).reduce((sum, lines) => sum + lines, 0);
    },
    get: () => client.raw({ method: "GET", path: pathOf(persistentVolumeClaims, claim) }),
    watch: () => linesOf(client, persistentVolumeClaims),
  };
});

/** How many lines come before the one that says that the first list is whole. */
async function linesOf(client: Client, resource: Resource): Promise<number> {
  const enough = new AbortController();
  const query = { allowWatchBookmarks: "true", sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" };
  const { body } = await client.watch(resource, {}, query, { signal: enough.signal });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let lines = 0;
  let before = Buffer.alloc(0);
  body.on("error", reject).on("data", (chunk: Buffer) => {
    lines += newlinesIn(chunk);
    // The words may be cut by the border between two chunks.
    const seen = Buffer.concat([before, chunk]);
    const at = seen.indexOf(end);
    before = seen.subarray(Math.max(0, seen.length - end.length));
    if (at >= 0) resolve(lines - newlinesIn(seen.subarray(at)));
  });
  const counted = await promise;
  enough.abort();
  return counted;
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}
