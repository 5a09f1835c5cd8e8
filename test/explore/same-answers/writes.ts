import { configMaps, namespaces, persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import type { KubeObject, Stored } from "../../../src/api/object.ts";
import { type Case, type Ground, keyOf, note, two } from "./ground.ts";

async function claim({ client, namespace }: Ground): Promise<Stored<KubeObject>> {
  return await client.create(persistentVolumeClaims, {
    metadata: { namespace, name: "claim" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "none" },
  });
}

async function volume({ client, volumeName: name }: Ground): Promise<Stored<KubeObject>> {
  return await client.create(persistentVolumes, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "contract.portway.dev", volumeHandle: "handle" },
      storageClassName: `class-of-${name}`,
      claimRef: { namespace: "nowhere", name: "nobody" },
    },
  });
}

const applied = (seen: Stored<KubeObject>, status: string, uid = seen.metadata.uid): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: seen.metadata.namespace ?? "", name: seen.metadata.name, uid },
    status: { conditions: [{ type: "portway.dev/One", status, reason: "Told", message: "so it is" }] },
  }) as KubeObject;

const status = { subresource: "status", force: true } as const;

export const writeCases: readonly Case[] = [
  ["create: a claim", claim],
  ["create: a volume", volume],
  ["create: over what is there", async (g) => [await note(g), await note(g)]],
  ["create: where there is no namespace", async (g) => await note({ ...g, namespace: "nowhere-at-all" })],
  [
    "create: in a namespace that is going",
    async (g) => {
      // A held object keeps the namespace from going altogether.
      await note(g, two, "holder");
      const home = await g.client.get(namespaces, { name: g.namespace });
      await g.client.delete(namespaces, { name: g.namespace, uid: home.metadata.uid });
      return await note(g);
    },
  ],
  [
    "update: what was seen, changed",
    async (g) => await g.client.update(configMaps, { ...(await note(g)), data: { text: "second" } }),
  ],
  [
    "update: what has changed since",
    async (g) => {
      const seen = await note(g);
      await g.client.merge(configMaps, keyOf(seen), { data: { text: "theirs" } });
      return await g.client.update(configMaps, { ...seen, data: { text: "mine" } });
    },
  ],
  [
    "update: another identity",
    async (g) => {
      const seen = await note(g);
      return await g.client.update(configMaps, { ...seen, metadata: { ...seen.metadata, uid: "another" } });
    },
  ],
  [
    "merge: a member of a claim's spec that is fixed",
    async (g) =>
      await g.client.merge(persistentVolumeClaims, keyOf(await claim(g)), { spec: { storageClassName: "x" } }),
  ],
  [
    "merge: the volume of a claim, once",
    async (g) => await g.client.merge(persistentVolumeClaims, keyOf(await claim(g)), { spec: { volumeName: "x" } }),
  ],
  [
    "merge: the volume of a claim, twice",
    async (g) => {
      const seen = await claim(g);
      await g.client.merge(persistentVolumeClaims, keyOf(seen), { spec: { volumeName: "x" } });
      return await g.client.merge(persistentVolumeClaims, keyOf(seen), { spec: { volumeName: "y" } });
    },
  ],
  [
    "merge: the status of a claim, not through /status",
    async (g) => await g.client.merge(persistentVolumeClaims, keyOf(await claim(g)), { status: { phase: "Lost" } }),
  ],
  [
    "merge: a label through /status, and a spec",
    async (g) =>
      await g.client.merge(
        persistentVolumeClaims,
        keyOf(await claim(g)),
        { metadata: { labels: { a: "b" } }, spec: { volumeName: "x" } },
        { subresource: "status" },
      ),
  ],
  [
    "merge: the source of a volume",
    async (g) =>
      await g.client.merge(persistentVolumes, keyOf(await volume(g)), { spec: { csi: { volumeHandle: "x" } } }),
  ],
  [
    "merge: policy and claimRef of a volume",
    async (g) => {
      const change = { persistentVolumeReclaimPolicy: "Delete", claimRef: { uid: "x" } };
      // The real binder says what it thinks of the volume at any time.
      const { status: _, ...written } = await g.client.merge(persistentVolumes, keyOf(await volume(g)), {
        spec: change,
      });
      return written;
    },
  ],
  [
    "apply: a condition",
    async (g) => {
      const seen = await claim(g);
      return await g.client.apply(persistentVolumeClaims, applied(seen, "True"), status);
    },
  ],
  [
    "apply: a condition, and then another status of it",
    async (g) => {
      const seen = await claim(g);
      await g.client.apply(persistentVolumeClaims, applied(seen, "True"), status);
      return await g.client.apply(persistentVolumeClaims, applied(seen, "False"), status);
    },
  ],
  [
    "apply: a condition to another identity",
    async (g) => await g.client.apply(persistentVolumeClaims, applied(await claim(g), "True", "another"), status),
  ],
  [
    "apply: a condition to nothing",
    async ({ client, namespace }) => {
      const nobody = { metadata: { namespace, name: "none", uid: "none", resourceVersion: "" } };
      return await client.apply(persistentVolumeClaims, applied(nobody, "True"), status);
    },
  ],
];
