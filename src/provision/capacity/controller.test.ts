import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../test/fixture/portway.ts";
import { rememberedLog } from "../../../test/fixture/remembered-log.ts";
import { Failure } from "../../api/failure.ts";
import type { VolumeNodeAffinity } from "../../api/gen/core.ts";
import type { CSIStorageCapacity, StorageClass } from "../../api/gen/storage.ts";
import type { KubeObject, OwnerReference, Stored } from "../../api/object.ts";
import { type Kept, type Store, storeOf } from "../../kube/cache/store.ts";
import type { Client } from "../../kube/client.ts";
import { errorOf } from "../../rpc/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import { alwaysLeader } from "../../runtime/election.ts";
import type { Engine } from "../../runtime/engine.ts";
import { metricsRegistry } from "../../runtime/metrics/registry.ts";
import type { Sources } from "../../runtime/sources.ts";
import type { LabelledNode, NodeDrivers } from "../topology.ts";
import { textOf } from "../topology-terms.ts";
import { type CapacityDeps, capacityController } from "./controller.ts";
import type { Capacity } from "./seen.ts";

const driverName = "disk.example.com";
const namespace = "csi";
const owner: OwnerReference = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  name: "csi",
  uid: "owner",
  controller: true,
};
const labels = {
  "csi.storage.k8s.io/drivername": driverName,
  "csi.storage.k8s.io/managed-by": "external-provisioner",
};

let version = 100;
function stored<T extends object>(name: string, more: T) {
  version++;
  return { metadata: { name, uid: `uid-${version}`, resourceVersion: String(version) }, ...more };
}
const aClass = (name: string, more: Partial<StorageClass> = {}): Stored<StorageClass> =>
  stored(name, { provisioner: driverName, volumeBindingMode: "WaitForFirstConsumer", ...more } as const);

function store<V extends Kept>(...objects: readonly V[]): Store<V> {
  const made = storeOf<V>({}, (problem) => {
    throw problem;
  });
  for (const object of objects) made.put(object);
  return made;
}

function nodeIn(zone: string) {
  const node = stored(`n-${zone}`, {});
  return { ...node, metadata: { ...node.metadata, labels: { zone } } };
}
const driversOn = (zone: string) =>
  stored(`n-${zone}`, { spec: { drivers: [{ name: driverName, topologyKeys: ["zone"] }] } });

/** The controller that ships over a server of its own: stored at once, and shown at once. */
function worldOf(t: TestContext, { zones = ["a", "b"], before = [], ...deps }: Setting = {}) {
  const capacities = new Map<string, Capacity>();
  const writes: string[] = [];
  const asked: string[] = [];
  const free = new Map<string, bigint>();
  let cache: Store<Capacity> | undefined;
  let failures = 0;
  let held = Promise.resolve();

  const put = (object: CSIStorageCapacity, name: string, uid: string): Capacity => {
    version++;
    const made = { ...object, metadata: { ...object.metadata, name, uid, resourceVersion: String(version) } };
    capacities.set(name, made);
    return made;
  };
  const client = {
    async create(_: unknown, object: CSIStorageCapacity) {
      const name = `${object.metadata.generateName}${version}`;
      writes.push(`create ${name}`);
      return put(object, name, `uid-${name}`);
    },
    async update(_: unknown, object: Capacity) {
      const { name, uid, resourceVersion } = object.metadata;
      equal(resourceVersion, capacities.get(name)?.metadata.resourceVersion);
      writes.push(`update ${name}`);
      return put(object, name, uid);
    },
    async delete(_: unknown, { name, uid }: { readonly name: string; readonly uid: string }) {
      equal(uid, capacities.get(name)?.metadata.uid);
      writes.push(`delete ${name}`);
      capacities.delete(name);
      return undefined;
    },
    get: async () => ({ metadata: { name: "pod", uid: "pod", resourceVersion: "1", ownerReferences: [owner] } }),
  } as object as Client;
  const sources = {
    watch(_: unknown, { indexes }: { readonly indexes: Parameters<typeof storeOf<Capacity>>[0] }) {
      cache = storeOf<Capacity>(indexes, (problem) => {
        throw problem;
      });
      for (const object of before) cache.put(put(object, object.metadata.name, object.metadata.uid));
      return { cache };
    },
    wrote: (_: unknown, object: Capacity) => cache?.put(object),
    ended: (_: unknown, { name }: { readonly name: string }, uid: string) => cache?.ended(`${namespace}/${name}`, uid),
  } as object as Sources;

  const classes = store(aClass("fast", { parameters: { kind: "ssd", "csi.storage.k8s.io/fstype": "xfs" } }));
  const topology = { nodes: store<Kept & LabelledNode>(), csiNodes: store<Kept & NodeDrivers>() };
  for (const zone of zones) {
    topology.nodes.put(nodeIn(zone));
    topology.csiNodes.put(driversOn(zone));
  }
  const { log, lines } = rememberedLog();
  const registry = metricsRegistry();
  const engine: Engine = {
    client: {} as Client,
    clientWith: () => ({}) as Client,
    sources,
    election: alwaysLeader(),
    events: { tell: () => undefined },
    registry,
    clock: systemClock,
    log,
    namespace,
    workers: 7,
  };
  const controller = capacityController(engine, {
    driverName,
    namespace,
    podName: "pod",
    ownerLevel: 1,
    forImmediateBinding: false,
    classes,
    topology,
    client,
    pollSeconds: 3600,
    workers: 1,
    parametersOf: ({ kind = "" }) => ({ kind }),
    driver: {
      async getCapacity({ parameters = {}, accessibleTopology }) {
        const place = textOf(accessibleTopology?.segments ?? {});
        asked.push(`${JSON.stringify(parameters)} ${place}`);
        await held;
        if (failures-- > 0) throw errorOf("/csi.v1.Controller/GetCapacity", "read", "UNAVAILABLE", "not now");
        const availableCapacity = free.get(place) ?? 1n << 30n;
        return { $typeName: "csi.v1.GetCapacityResponse", availableCapacity, maximumVolumeSize: 1n << 20n };
      },
    },
    ...deps,
  });
  t.after(() => controller.loop.drained());

  const told = () =>
    [...capacities.values()]
      .map((o) => `${o.storageClassName} ${textOf(o.nodeTopology?.matchLabels ?? {})} ${String(o.capacity)}`)
      .toSorted();
  const untilTold = (...lines: readonly string[]) =>
    until(`told is ${lines.join("; ")}`, () => JSON.stringify(told()) === JSON.stringify(lines));
  const figures = () =>
    ["desired_goal", "desired_current", "obsolete"].map((name) =>
      Number(new RegExp(`^csistoragecapacities_${name} (\\d+)$`, "m").exec(registry.text())?.[1]),
    );
  return {
    controller,
    capacities,
    classes,
    topology,
    free,
    writes,
    asked,
    told,
    untilTold,
    figures,
    lines,
    hold: (until: Promise<void>) => void (held = until),
    failNext: (times: number) => void (failures = times),
    /** As somebody with kubectl would. */
    removed(name: string) {
      const object = capacities.get(name);
      capacities.delete(name);
      if (object !== undefined) cache?.remove(object);
    },
  };
}

type Setting = Partial<CapacityDeps> & { readonly zones?: readonly string[]; readonly before?: readonly Capacity[] };

function anOldOne(
  name: string,
  zone: string,
  more: Partial<Capacity> = {},
  metadata: Partial<KubeObject["metadata"]> = {},
): Capacity {
  return {
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      resourceVersion: "1",
      labels,
      ownerReferences: [owner],
      ...metadata,
    },
    storageClassName: "fast",
    nodeTopology: { matchLabels: { zone } },
    capacity: "1Gi",
    maximumVolumeSize: "1Mi",
    ...more,
  };
}

function affinityTo(zone: string): VolumeNodeAffinity {
  return {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }] },
  };
}

test("the scheduler is told of every class in every segment, and of no class that does not wait", async (t) => {
  const world = worldOf(t);
  world.classes.put(aClass("at-once", { volumeBindingMode: "Immediate" }));
  world.classes.put(aClass("foreign", { provisioner: "other.example.com" }));
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi", "fast zone=b 1Gi");
  deepEqual(world.asked.toSorted(), ['{"kind":"ssd"} zone=a', '{"kind":"ssd"} zone=b']);
  const [first] = [...world.capacities.values()];
  deepEqual(first?.metadata.labels, labels);
  deepEqual(first?.metadata.ownerReferences, [owner]);
  equal(first?.metadata.namespace, namespace);
  equal(first?.maximumVolumeSize, "1Mi");
  deepEqual(world.figures(), [2, 2, 0]);
});

test("of a class that does not wait too, if that is asked for", async (t) => {
  const world = worldOf(t, { forImmediateBinding: true });
  world.classes.put(aClass("at-once", { volumeBindingMode: "Immediate" }));
  world.controller.start();
  await world.untilTold("at-once zone=a 1Gi", "at-once zone=b 1Gi", "fast zone=a 1Gi", "fast zone=b 1Gi");
});

test("a driver without topology has one segment, and it is everywhere", async (t) => {
  const world = worldOf(t, { topology: undefined, ownerLevel: -1 });
  world.controller.start();
  await world.untilTold("fast  1Gi");
  const [only] = [...world.capacities.values()];
  deepEqual(only?.nodeTopology, { matchLabels: {} });
  equal(only?.metadata.ownerReferences, undefined);
});

test("what is there and true is not written; what is there and old is written once", async (t) => {
  const world = worldOf(t, { before: [anOldOne("old-a", "a"), anOldOne("old-b", "b", { capacity: "2Gi" })] });
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi", "fast zone=b 1Gi");
  await until("both were asked for", () => world.asked.length === 2);
  deepEqual(world.writes, ["update old-b"]);
});

test("after a volume has come or gone, its segment is asked for and no other", async (t) => {
  const world = worldOf(t);
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi", "fast zone=b 1Gi");
  world.free.set("zone=a", 1n << 40n);
  world.free.set("zone=b", 1n << 40n);
  world.controller.refresh({ className: "fast", nodeAffinity: affinityTo("a") });
  await world.untilTold("fast zone=a 1Ti", "fast zone=b 1Gi");
  world.controller.refresh({ className: "another" });
  world.controller.refresh({ className: "fast" });
  await world.untilTold("fast zone=a 1Ti", "fast zone=b 1Ti");
  equal(world.asked.length, 5);
});

test("the driver is asked again and again, whether somebody wishes it or not", async (t) => {
  const world = worldOf(t, { pollSeconds: 0.05, zones: ["a"] });
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi");
  world.free.set("zone=a", 3n << 30n);
  await world.untilTold("fast zone=a 3Gi");
  await until("it was asked often", () => world.asked.length > 4);
  equal(world.writes.length, 2);
});

test("a driver that has no answer is asked again, and nothing is told before", async (t) => {
  const world = worldOf(t, { zones: ["a"] });
  world.failNext(2);
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi");
  equal(world.asked.length, 3);
  ok(world.lines.some(({ level, msg }) => level === "warn" && String(msg).includes("not now")));
  ok(!world.lines.some(({ v, msg }) => v === 0 && msg === "took a step"));
});

test("what nothing needs is deleted: a class that is gone, a node that is gone or elsewhere", async (t) => {
  const world = worldOf(t, { zones: ["a", "b", "c"] });
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi", "fast zone=b 1Gi", "fast zone=c 1Gi");
  const nodeA = world.topology.nodes.get("n-a");
  ok(nodeA !== undefined);
  world.topology.nodes.remove(nodeA);
  await world.untilTold("fast zone=b 1Gi", "fast zone=c 1Gi");
  const nodeB = world.topology.nodes.get("n-b");
  ok(nodeB !== undefined);
  version++;
  const metadata = { ...nodeB.metadata, resourceVersion: String(version), labels: { zone: "d" } };
  world.topology.nodes.put({ ...nodeB, metadata });
  await world.untilTold("fast zone=c 1Gi", "fast zone=d 1Gi");
  const drivers = world.topology.csiNodes.get("n-c");
  ok(drivers !== undefined);
  version++;
  const moved = {
    ...drivers,
    metadata: { ...drivers.metadata, resourceVersion: String(version) },
    spec: { drivers: [] },
  };
  world.topology.csiNodes.put(moved);
  await world.untilTold("fast zone=d 1Gi");
  const fast = world.classes.get("fast");
  ok(fast !== undefined);
  world.classes.remove(fast);
  await world.untilTold();
  deepEqual(world.figures(), [0, 0, 0]);
});

test("what was left by others of our name is cleared away, and what is not ours is left alone", async (t) => {
  const others = { ...labels, "csi.storage.k8s.io/managed-by": "external-provisioner-n1" };
  const world = worldOf(t, {
    zones: ["a"],
    before: [
      anOldOne("younger", "a", {}, { creationTimestamp: "2026-01-02T00:00:00Z" }),
      anOldOne("older", "a", {}, { creationTimestamp: "2026-01-01T00:00:00Z" }),
      anOldOne("nowhere", "x"),
      anOldOne("strange", "a", { nodeTopology: { matchExpressions: [{ key: "zone", operator: "Exists" }] } }),
      anOldOne("foreign", "a", {}, { labels: others, creationTimestamp: "2025-01-01T00:00:00Z" }),
      anOldOne("manual", "x", {}, { labels: {} }),
    ],
  });
  deepEqual(world.figures(), [1, 1, 3]);
  world.controller.start();
  await until("they are gone", () => world.capacities.size === 3);
  deepEqual([...world.capacities.keys()].toSorted(), ["foreign", "manual", "older"]);
  await until("it was asked for", () => world.asked.length === 1);
  deepEqual(world.writes.toSorted(), ["delete nowhere", "delete strange", "delete younger"]);
  deepEqual(world.figures(), [1, 1, 0]);
});

test("an object of an earlier owner gets the new one, and has no second controller", async (t) => {
  const former = { ...owner, uid: "former", name: "csi-1" };
  const bystander = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x" };
  const world = worldOf(t, {
    zones: ["a"],
    before: [anOldOne("old", "a", {}, { ownerReferences: [former, bystander] })],
  });
  world.controller.start();
  await until("it is taken over", () => world.writes.length === 1);
  deepEqual(world.capacities.get("old")?.metadata.ownerReferences, [bystander, owner]);
});

test("what somebody has deleted is told again", async (t) => {
  const world = worldOf(t, { zones: ["a"], before: [anOldOne("old", "a")] });
  world.controller.start();
  await until("it was asked for", () => world.asked.length === 1);
  world.removed("old");
  await world.untilTold("fast zone=a 1Gi");
  equal(world.asked.length, 1);
});

test("a class that was made again under its name is asked for anew, also behind a worker that is busy", async (t) => {
  const world = worldOf(t);
  world.controller.start();
  await world.untilTold("fast zone=a 1Gi", "fast zone=b 1Gi");
  const goOn = Promise.withResolvers<void>();
  world.hold(goOn.promise);
  world.controller.refresh({ nodeAffinity: affinityTo("a") });
  await until("the driver thinks", () => world.asked.length === 3);
  world.classes.put(aClass("fast", { parameters: { kind: "tape" } }));
  goOn.resolve();
  await until("both are asked for", () =>
    ["a", "b"].every((zone) => world.asked.includes(`{"kind":"tape"} zone=${zone}`)),
  );
});

test("without a namespace, or without a pod that is to own the objects, nothing begins", (t) => {
  throws(() => worldOf(t, { namespace: "" }), Failure);
  throws(() => worldOf(t, { podName: "" }), Failure);
});
