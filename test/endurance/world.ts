import { randomInt } from "node:crypto";
import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { Change } from "../../src/kube/json-patch.ts";

export interface Note extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** ConfigMaps stand for any object: nothing on the cluster reacts to them, so every change is ours. */
export const notes: Resource<Note> = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
export const mark = { "portway.dev/endurance": "yes" };
export const where = { labelSelector: "portway.dev/endurance=yes" };

const inFlight = 48;

/** Does it for each, so many at a time. */
export async function forEachOf<I>(items: readonly I[], act: (item: I) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

export async function createNotes(client: Client, namespace: string, names: readonly string[]): Promise<void> {
  await forEachOf(names, (name) =>
    client.create(notes, { metadata: { name, namespace, labels: mark }, data: { a: "1" } }),
  );
}

/** Changes, deletes, and deletes and makes again, at random; what the server refuses while it is being killed is left be. */
export async function stir(client: Client, namespace: string, names: readonly string[]): Promise<void> {
  await forEachOf(names, async (name) => {
    try {
      const note = await client.find(notes, { namespace, name });
      if (note === undefined) await client.create(notes, { metadata: { name, namespace, labels: mark } });
      else await disturb(client, note, namespace);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
    }
  });
}

async function disturb(client: Client, note: Stored<Note>, namespace: string): Promise<void> {
  const { name, uid } = note.metadata;
  if (randomInt(3) === 0) {
    await client.patch(
      notes,
      { namespace, name },
      new Change(note).set(["data"], { a: String(randomInt(1e9)) }).operations,
    );
    return;
  }
  await client.delete(notes, { namespace, name, uid });
  if (randomInt(2) === 0) await client.create(notes, { metadata: { name, namespace, labels: mark } });
}

/** What is stored now: the resource version and the identity of every note. */
export async function freshList(
  client: Client,
): Promise<{ readonly version: string; readonly objects: ReadonlyMap<string, string> }> {
  const objects = new Map<string, string>();
  let version = "";
  for await (const page of client.pages(notes, where)) {
    version = page.resourceVersion;
    for (const { metadata } of page.items)
      objects.set(`${metadata.namespace}/${metadata.name}`, `${metadata.uid} ${metadata.resourceVersion}`);
  }
  return { version, objects };
}
