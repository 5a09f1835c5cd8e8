import { setTimeout as sleep } from "node:timers/promises";
import type { Handle } from "../src/dev/cluster/handle.ts";
import { isServed, type WantedKinds } from "./roots.ts";
import { type Document, type Documents, documentPath } from "./schema.ts";

const publishedWithinSeconds = 30;

/** The server's documents on the wanted kinds. A kind that is still not there after a while stays absent. */
export async function documentsOf(handle: Handle, wanted: readonly WantedKinds[]): Promise<Documents> {
  const deadline = performance.now() + publishedWithinSeconds * 1000;
  for (;;) {
    const documents = await documentsNow(handle, wanted);
    if (isServed(documents, wanted) || performance.now() > deadline) return documents;
    await sleep(500);
  }
}

async function documentsNow(handle: Handle, wanted: readonly WantedKinds[]): Promise<Documents> {
  const fetched = async (path: string) => JSON.parse(await handle.kubectl(["get", "--raw", path])) as unknown;
  const index = (await fetched("/openapi/v3")) as { readonly paths: Readonly<Record<string, unknown>> };
  const paths = new Set(
    wanted.flatMap(({ group, versions }) => versions.map((version) => documentPath(group, version))),
  );
  const there = [...paths].filter((path) => index.paths[path] !== undefined);
  return new Map(
    await Promise.all(there.map(async (path) => [path, (await fetched(`/openapi/v3/${path}`)) as Document] as const)),
  );
}
