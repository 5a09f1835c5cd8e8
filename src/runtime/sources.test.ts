import { deepEqual } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { configMaps, secrets } from "../api/gen/core.ts";
import type { KubeObject, Stored } from "../api/object.ts";
import type { Kept } from "../kube/cache/store.ts";
import type { Client, Where } from "../kube/client.ts";
import { sourcesOf } from "./sources.ts";

const kept = ({ metadata }: Stored<KubeObject>): Kept => ({ metadata });

function note(uid: string, version: number): Stored<KubeObject> {
  return { metadata: { name: "note", namespace: "a", uid, resourceVersion: String(version) } };
}

/** Every watch shows one note and then says nothing more. */
async function watchOf(t: TestContext, wheres: readonly Where[]) {
  const end = { metadata: { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } } };
  const events = [
    { type: "ADDED", object: note("u", 7) },
    { type: "BOOKMARK", object: end },
  ];
  const client: unknown = {
    async watch() {
      const body = new PassThrough();
      for (const event of events) body.write(`${JSON.stringify(event)}\n`);
      return { status: 200, headers: {}, body };
    },
  };
  const sources = sourcesOf({ client: client as Client, log: rememberedLog().log });
  t.after(() => sources.stop());
  const caches = wheres.map((where) => sources.watch(configMaps, { where, project: kept }).cache);
  await sources.untilSynced();
  const versions = () => caches.map((cache) => cache.get("a/note")?.metadata.resourceVersion ?? "none");
  return { sources, versions };
}

const wheres: readonly Where[] = [{}, { namespace: "a" }, { namespace: "b" }, { labelSelector: "x" }];

test("what we wrote is shown at once wherever it is sure to be shown", async (t) => {
  const { sources, versions } = await watchOf(t, wheres);
  sources.wrote(configMaps, note("u", 12));
  deepEqual(versions(), ["12", "12", "7", "7"]);
});

test("what we deleted is gone at once wherever it was shown, also behind a selector", async (t) => {
  const { sources, versions } = await watchOf(t, wheres);
  sources.ended(configMaps, { namespace: "a", name: "note" }, "u");
  deepEqual(versions(), ["none", "none", "none", "none"]);
});

test("the end of another kind, or of a former one of that name, changes nothing", async (t) => {
  const { sources, versions } = await watchOf(t, [{}]);
  sources.ended(secrets, { namespace: "a", name: "note" }, "u");
  sources.ended(configMaps, { namespace: "a", name: "note" }, "former");
  deepEqual(versions(), ["7"]);
});
