import { deepEqual, equal } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Pod } from "../api/gen/core.ts";
import type { Stored } from "../api/object.ts";
import { type Store, storeOf } from "../kube/cache/store.ts";
import type { Sources } from "../runtime/sources.ts";
import { type PodSeen, podWatch } from "./pod-watch.ts";

interface Opened {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly cache: Store<PodSeen>;
  readonly add: (pod: Stored<Pod>) => void;
  isStopped: boolean;
}

function world(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opened: Opened[] = [];
  const woken: string[] = [];
  const watch = ((resource, { where, project, indexes = {} }) => {
    const cache = storeOf<ReturnType<typeof project>>(indexes, (problem) => {
      throw problem;
    });
    const add = (pod: Stored<Pod>) => cache.put(project(pod as unknown as Parameters<typeof project>[0]));
    const one: Opened = {
      kind: resource.kind,
      namespace: where?.namespace,
      cache: cache as unknown as Store<PodSeen>,
      add,
      isStopped: false,
    };
    opened.push(one);
    return { cache, untilSynced: async () => undefined, stop: async () => void (one.isStopped = true) };
  }) as Sources["watch"];
  const pods = podWatch({ watch }, (holder) => woken.push(holder));
  const open = () =>
    opened.filter(({ isStopped }) => !isStopped).map(({ kind, namespace }) => `${kind} in ${namespace}`);
  return { pods, opened, open, woken, pass: (milliseconds: number) => t.mock.timers.tick(milliseconds) };
}

function podThatUses(claimName: string, name: string, spec: Partial<NonNullable<Pod["spec"]>> = {}): Stored<Pod> {
  return {
    metadata: { namespace: "from", name, uid: name, resourceVersion: "1" },
    spec: {
      nodeName: "a-node",
      containers: [{ name: "c" }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName } }],
      ...spec,
    },
    status: { phase: "Running" },
  };
}

test("only the pods of a namespace that somebody asks about are watched", async (t) => {
  const { pods, open } = world(t);
  deepEqual(open(), []);
  await pods.usersOf("from", "foo", "one");
  await pods.usersOf("from", "other", "two");
  deepEqual(open(), ["Pod in from"], "one watch for both");
  await pods.usersOf("elsewhere", "foo", "three");
  deepEqual(open(), ["Pod in from", "Pod in elsewhere"]);
});

test("the watch is closed a while after the last one has let go of it, and no other", async (t) => {
  const { pods, open, pass } = world(t);
  for (const holder of ["one", "two"]) await pods.usersOf("from", "foo", holder);
  await pods.usersOf("elsewhere", "foo", "three");
  pods.release("one");
  pass(60_000);
  deepEqual(open(), ["Pod in from", "Pod in elsewhere"], "somebody still waits");
  pods.release("two");
  pass(4999);
  deepEqual(open(), ["Pod in from", "Pod in elsewhere"], "the next one should not open it again");
  pass(1);
  deepEqual(open(), ["Pod in elsewhere"]);
});

test("whoever asks again in time keeps it open", async (t) => {
  const { pods, opened, open, pass } = world(t);
  await pods.usersOf("from", "foo", "one");
  pods.release("one");
  pass(4000);
  await pods.usersOf("from", "foo", "one");
  pass(60_000);
  deepEqual([open(), opened.length], [["Pod in from"], 1]);
});

test("a pod that comes or goes wakes everybody who waits there, and nobody who has let go", async (t) => {
  const { pods, opened, woken } = world(t);
  for (const holder of ["one", "two"]) await pods.usersOf("from", "foo", holder);
  pods.release("two");
  opened[0]?.add(podThatUses("foo", "user"));
  deepEqual(woken, ["one"]);
});

test("a pod on a node uses its claims, finished or not; one that waits for a node uses none", async (t) => {
  const { pods, opened } = world(t);
  await pods.usersOf("from", "foo", "one");
  opened[0]?.add(podThatUses("foo", "placed"));
  opened[0]?.add({ ...podThatUses("foo", "ended"), status: { phase: "Succeeded" } });
  opened[0]?.add(podThatUses("foo", "waiting", { nodeName: "" }));
  opened[0]?.add(podThatUses("other", "stranger"));
  opened[0]?.add(podThatUses("", "own", { volumes: [{ name: "foo", ephemeral: {} }] }));
  const names = async (claim: string) =>
    (await pods.usersOf("from", claim, "one")).map(({ metadata }) => metadata.name).sort();
  deepEqual(await names("foo"), ["ended", "placed"]);
  deepEqual(await names("own-foo"), ["own"], "a claim that was made for the pod");
});

test("at the end every watch is closed, also one that was about to be", async (t) => {
  const { pods, open, opened, pass } = world(t);
  await pods.usersOf("from", "foo", "one");
  await pods.usersOf("elsewhere", "foo", "two");
  pods.release("two");
  await pods.stop();
  deepEqual(open(), []);
  pass(60_000);
  equal(opened.length, 2);
});
