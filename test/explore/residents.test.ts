import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { configMaps, namespaces, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import { binder } from "./model/binder.ts";
import { type Holder, worldWith } from "./model/client.ts";
import { coreKinds, customKind } from "./model/kinds.ts";
import { namespaceController, protections, reaper } from "./model/residents.ts";
import { allOf, emptyServer, objectOf } from "./model/server.ts";
import { settled } from "./settle.ts";

async function boundWith(policy: "Delete" | "Retain"): Promise<Holder> {
  const holder = await worldWith(emptyServer(coreKinds), "home");
  await holder.client.create(persistentVolumes, {
    metadata: { name: "volume", annotations: { "pv.kubernetes.io/provisioned-by": "driver" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "driver", volumeHandle: "handle" },
      persistentVolumeReclaimPolicy: policy,
      storageClassName: "class",
    },
  });
  await holder.client.create(persistentVolumeClaims, {
    metadata: { namespace: "home", name: "claim" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "class" },
  });
  return await worldWith(settled(holder.server(), [...binder, ...protections]));
}

const everybody = [...binder, ...protections, ...reaper, ...namespaceController];

for (const [policy, destroyed] of [
  ["Delete", ["handle"]],
  ["Retain", []],
] as const) {
  test(`when its claim is gone, the disk of a volume of policy ${policy} is ${destroyed.length > 0 ? "destroyed" : "kept"}`, async () => {
    const { client, server } = await boundWith(policy);
    deepEqual([...settled(server(), everybody).destroyed], [], "a claim holds it");
    const { uid } = (await client.get(persistentVolumeClaims, { namespace: "home", name: "claim" })).metadata;
    await client.delete(persistentVolumeClaims, { namespace: "home", name: "claim", uid });
    const after = settled(server(), everybody);
    deepEqual([...after.destroyed], destroyed);
    equal(allOf(after, persistentVolumes).length, 1 - destroyed.length);
  });
}

test("a namespace that is going takes all that is in it along, but for what is held", async () => {
  const { client, server } = await boundWith("Retain");
  const held = { namespace: "home", name: "held", finalizers: ["portway.dev/a"] };
  await client.create(configMaps, { metadata: held });
  await client.create(configMaps, { metadata: { namespace: "home", name: "free" } });
  await client.delete(namespaces, { name: "home", uid: (await client.get(namespaces, { name: "home" })).metadata.uid });
  const waiting = await worldWith(settled(server(), everybody));
  deepEqual(
    allOf(waiting.server(), configMaps).map(({ metadata }) => metadata.name),
    ["held"],
  );
  equal(allOf(waiting.server(), persistentVolumeClaims).length, 0);
  ok(objectOf(waiting.server(), namespaces, "home") !== undefined);
  await waiting.client.merge(configMaps, { namespace: "home", name: "held" }, { metadata: { finalizers: null } });
  equal(objectOf(settled(waiting.server(), everybody), namespaces, "home"), undefined);
});

interface Wish extends KubeObject {
  readonly spec?: { readonly size: number };
  readonly status?: { readonly phase: string };
}

test("a kind of our own counts the changes of its spec, and its status is written by itself", async () => {
  const wishes: Resource<Wish> = {
    group: "portway.dev",
    version: "v1",
    plural: "wishes",
    kind: "Wish",
    namespaced: true,
  };
  const { client } = await worldWith(emptyServer([...coreKinds, customKind(wishes)]), "home");
  const key = { namespace: "home", name: "wish" };
  const made = await client.create(wishes, { metadata: key, spec: { size: 1 }, status: { phase: "Done" } });
  deepEqual([made.metadata.generation, made.status], [1, undefined]);
  const change = { metadata: { labels: { a: "b" } }, spec: { size: 3 }, status: { phase: "Told" } };
  const told = await client.merge(wishes, key, change, { subresource: "status" });
  deepEqual(
    [told.metadata.generation, told.metadata.labels, told.spec, told.status],
    [1, undefined, { size: 1 }, { phase: "Told" }],
  );
  const grown = await client.merge(wishes, key, change);
  deepEqual([grown.metadata.generation, grown.spec, grown.status], [2, { size: 3 }, { phase: "Told" }]);
});
