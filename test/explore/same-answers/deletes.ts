import { configMaps } from "../../../src/api/gen/core.ts";
import type { KubeObject, Stored } from "../../../src/api/object.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import { type Case, type Ground, keyOf, note, two } from "./ground.ts";

/** Deleted, and held by two finalizers. */
async function terminating(ground: Ground): Promise<Stored<KubeObject>> {
  const held = await note(ground, two);
  return (await ground.client.delete(configMaps, keyOf(held))) ?? held;
}

const without = (index: number): readonly Operation[] => [{ op: "remove", path: `/metadata/finalizers/${index}` }];

export const deleteCases: readonly Case[] = [
  ["delete: what nothing holds", async (g) => await g.client.delete(configMaps, keyOf(await note(g)))],
  ["delete: what is held", async (g) => await terminating(g)],
  ["delete: what is held, twice", async (g) => await g.client.delete(configMaps, keyOf(await terminating(g)))],
  [
    "delete: with another uid",
    async (g) => await g.client.delete(configMaps, { ...keyOf(await note(g)), uid: "another" }),
  ],
  [
    "delete: with another version",
    async (g) => await g.client.delete(configMaps, keyOf(await note(g)), { resourceVersion: "1" }),
  ],
  [
    "delete: with its version",
    async (g) => {
      const { metadata } = await note(g);
      return await g.client.delete(configMaps, metadata, { resourceVersion: metadata.resourceVersion });
    },
  ],
  [
    "delete: what is not there",
    async (g) => await g.client.delete(configMaps, { namespace: g.namespace, name: "none", uid: "none" }),
  ],
  [
    "finalizers: one of two goes",
    async (g) => await g.client.patch(configMaps, keyOf(await terminating(g)), without(0)),
  ],
  [
    "finalizers: the last one goes, and the answer shows it without",
    async (g) => {
      const left = await g.client.patch(configMaps, keyOf(await terminating(g)), without(0));
      return await g.client.patch(configMaps, keyOf(left), without(0));
    },
  ],
  [
    "finalizers: with the last one it is gone",
    async (g) => {
      const left = await g.client.patch(configMaps, keyOf(await terminating(g)), without(0));
      await g.client.patch(configMaps, keyOf(left), without(0));
      return await g.client.get(configMaps, keyOf(left));
    },
  ],
  [
    "finalizers: none can be added to what is terminating",
    async (g) =>
      await g.client.patch(configMaps, keyOf(await terminating(g)), [
        { op: "add", path: "/metadata/finalizers/-", value: "portway.dev/late" },
      ]),
  ],
  [
    "finalizers: all of them replaced by none",
    async (g) => await g.client.merge(configMaps, keyOf(await note(g, two)), { metadata: { finalizers: null } }),
  ],
  [
    "the deletion cannot be taken back",
    async (g) =>
      await g.client.merge(configMaps, keyOf(await terminating(g)), { metadata: { deletionTimestamp: null } }),
  ],
];
