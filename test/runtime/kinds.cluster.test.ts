import { deepEqual, equal, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Condition } from "../../src/api/gen/meta.ts";
import type { KubeObject, Resource, Stored } from "../../src/api/object.ts";
import { controllerOn, trigger } from "../../src/runtime/engine.ts";
import type { Report } from "../../src/runtime/report.ts";
import { rest } from "../../src/runtime/table.ts";
import { adminClient, newNamespace, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { engineIn } from "./tiny.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

interface Thing extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Kind {
  readonly things: Resource<Thing>;
  readonly add: (namespace: string, name: string) => Promise<unknown>;
  readonly serve: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A kind of this test's own. Its schema takes only conditions whose type is one word. */
function newKind(t: TestContext): Kind {
  const group = `t-${randomWord()}.portway.dev`;
  const name = `things.${group}`;
  const word = { type: "string", pattern: "^[A-Z][A-Za-z]*$" };
  const text = { type: "string" };
  const condition = {
    type: "object",
    properties: { type: word, status: text, reason: text, message: text, lastTransitionTime: text },
  };
  const status = { type: "object", properties: { conditions: { type: "array", items: condition } } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { status } } },
        },
      ],
    },
  };
  const remove = async () => void (await cluster.kubectl(["delete", "crd", name, "--ignore-not-found"]));
  t.after(remove);
  const typed = { apiVersion: `${group}/v1`, kind: "Thing" };
  const things: Resource<Thing> = { group, version: "v1", kind: "Thing", plural: "things", namespaced: true };
  return {
    things,
    add: (namespace, named) => admin.create(things, { ...typed, metadata: { namespace, name: named } }),
    async serve() {
      await cluster.apply(JSON.stringify(definition));
      await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", `crd/${name}`]);
    },
    remove,
  };
}

test("a kind that is not there yet is waited for, one that goes away and comes back is seen again, and it is said once", async (t) => {
  const { things, add, serve, remove } = newKind(t);
  const namespace = await newNamespace(t, admin);
  const { engine, said } = engineIn(t, admin);
  const { cache } = engine.sources.watch(things, { where: { namespace }, project: (thing) => thing });
  const isMade = (name: string) =>
    add(namespace, name).then(
      () => true,
      () => false,
    );
  await until("it is missed", () => said("does not serve this kind").length > 0);
  deepEqual(engine.sources.missing(), [`things.${things.group}`]);

  await serve();
  await engine.sources.untilSynced();
  await until("a thing can be made", () => isMade("first"));
  await until("it is seen", () => cache.size === 1);

  await remove();
  await until("what is gone is not shown any more", () => cache.size === 0);
  await until("the kind is gone", async () => !(await isMade("lost")));
  await serve();
  await until("a thing can be made again", () => isMade("second"));
  await until("it is seen", () => cache.get(`${namespace}/second`) !== undefined);
  equal(said("does not serve this kind").length, 1, JSON.stringify(said("")));
});

test("a status that the server refuses is said once, stops nobody else, and is told when it is right", async (t) => {
  const { things, add, serve } = newKind(t);
  await serve();
  const namespace = await newNamespace(t, admin);
  const { engine, said } = engineIn(t, admin);
  const { cache } = engine.sources.watch(things, { where: { namespace }, project: (thing) => thing });
  let [type, tries] = ["not one word", 0];
  const report = (thing: Stored<Thing>): readonly Report[] => {
    const isBad = thing.metadata.name === "bad";
    if (isBad) tries++;
    const words = { status: "True", reason: "Settled", message: "", lastTransitionTime: "2026-11-17T00:00:00Z" };
    const condition = { ...words, type: isBad ? type : "Ready" };
    return [{ resource: things, object: thing, status: { conditions: [condition] } }];
  };
  const controller = controllerOn(engine, {
    reconciler: {
      name: "tiny",
      observe: async (key) => cache.get(key),
      decide: () => ({ row: "there is nothing to do", plan: rest }),
      act: async () => undefined,
      report,
    },
    triggers: [trigger(cache, ({ metadata }) => [`${namespace}/${metadata.name}`])],
  });
  t.after(() => controller.loop.drained());
  await engine.sources.untilSynced();
  for (const name of ["bad", "good"]) await add(namespace, name);
  controller.start();
  const told = (name: string) => async () =>
    (await admin.get(things, { namespace, name })).status?.conditions?.length === 1;
  await until("the good one is told", told("good"));
  await until("the bad one is tried several times", () => tries >= 3);
  equal(said("is tried again").length, 1, JSON.stringify(said("")));
  match(String(said("is tried again")[0]?.["msg"]), /should match '\^\[A-Z\]/);
  type = "Ready";
  await until("the bad one is told", told("bad"));
});
