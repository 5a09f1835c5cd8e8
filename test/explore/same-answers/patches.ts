import { configMaps } from "../../../src/api/gen/core.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import { type Case, keyOf, note, two } from "./ground.ts";

function patches(says: string, operations: readonly object[], finalizers: readonly string[] = []): Case {
  return [
    `JSON patch: ${says}`,
    async (ground) =>
      await ground.client.patch(configMaps, keyOf(await note(ground, finalizers)), operations as readonly Operation[]),
  ];
}

export const patchCases: readonly Case[] = [
  patches("a test that holds", [{ op: "test", path: "/data/text", value: "first" }]),
  patches("a test that fails", [{ op: "test", path: "/data/text", value: "other" }]),
  patches("a test of a whole object", [{ op: "test", path: "/data", value: { text: "first" } }]),
  patches("a test of a missing member for null", [{ op: "test", path: "/data/none", value: null }]),
  patches("a test of a missing member for a value", [{ op: "test", path: "/data/none", value: "x" }]),
  patches("a test for null of what is there", [{ op: "test", path: "/data", value: null }]),
  patches("a test for null below a missing parent", [{ op: "test", path: "/none/none", value: null }]),
  patches("a test of an item", [{ op: "test", path: "/metadata/finalizers/1", value: "portway.dev/b" }], two),
  patches("a test of an item that is not there", [{ op: "test", path: "/metadata/finalizers/7", value: "x" }], two),
  patches("a test of the place after the last item", [{ op: "test", path: "/metadata/finalizers/-", value: "x" }], two),
  patches("an add of a member", [{ op: "add", path: "/data/more", value: "x" }]),
  patches("an add over a member", [{ op: "add", path: "/data/text", value: "x" }]),
  patches("an add over all members", [{ op: "add", path: "/data", value: { other: "x" } }]),
  patches("an add below a missing parent", [{ op: "add", path: "/none/none", value: "x" }]),
  patches("an add after the last item", [{ op: "add", path: "/metadata/finalizers/-", value: "portway.dev/c" }], two),
  patches("an add between items", [{ op: "add", path: "/metadata/finalizers/1", value: "portway.dev/c" }], two),
  patches("an add beyond the list", [{ op: "add", path: "/metadata/finalizers/7", value: "portway.dev/c" }], two),
  patches("an add of a map with nothing in it", [{ op: "add", path: "/metadata/annotations", value: {} }]),
  patches("annotations from nothing, as we write them", [
    { op: "test", path: "/metadata/annotations", value: null },
    { op: "add", path: "/metadata/annotations", value: {} },
    { op: "add", path: "/metadata/annotations/portway.dev~1mark", value: "x" },
  ]),
  patches("a replace", [{ op: "replace", path: "/data/text", value: "x" }]),
  patches("a replace of a missing member", [{ op: "replace", path: "/data/none", value: "x" }]),
  patches("a replace below a missing parent", [{ op: "replace", path: "/none/none", value: "x" }]),
  patches("a replace of an item", [{ op: "replace", path: "/metadata/finalizers/0", value: "portway.dev/c" }], two),
  patches("a remove", [{ op: "remove", path: "/data/text" }]),
  patches("a remove of a missing member", [{ op: "remove", path: "/data/none" }]),
  patches("a remove of an item", [{ op: "remove", path: "/metadata/finalizers/0" }], two),
  patches("a remove of an item that is not there", [{ op: "remove", path: "/metadata/finalizers/7" }], two),
  patches("a remove of the uid", [{ op: "remove", path: "/metadata/uid" }]),
  patches("a failure after a change", [
    { op: "add", path: "/data/text", value: "x" },
    { op: "test", path: "/data/text", value: "first" },
  ]),
  patches("another uid", [{ op: "add", path: "/metadata/uid", value: "another" }]),
  patches("another version", [{ op: "add", path: "/metadata/resourceVersion", value: "1" }]),
  patches("another name", [{ op: "add", path: "/metadata/name", value: "another" }]),
  patches("an unknown operation", [{ op: "increase", path: "/data/text" }]),
  patches("nothing at all", []),
];
