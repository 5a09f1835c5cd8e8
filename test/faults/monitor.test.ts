import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import {
  type ConfigMap,
  configMaps,
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
} from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { newPlace, newVolume } from "../fixture/binding.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";
import { type MonitorOptions, monitor, type StateRule, type Version } from "./monitor.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

async function watchNotes(t: TestContext, client: Client = admin, rest: Partial<MonitorOptions> = {}) {
  const namespace = await newNamespace(t, admin);
  const note = await admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { i: "0" } });
  const watched = [{ resource: configMaps, namespaces: [namespace] }];
  const watching = await monitor({ client, watched, ...rest });
  const writes = async (from: number, to: number) => {
    for (let i = from; i <= to; i++) await admin.merge(configMaps, keyOf(note), { data: { i: String(i) } });
  };
  return { namespace, note, watching, writes };
}

const numbersIn = (versions: readonly Version[]) =>
  versions
    .filter(({ key }) => key.endsWith("/note"))
    .map(({ object }) => Number((object as Stored<ConfigMap>).data?.["i"]));
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i);

test("an object that is written a hundred times has a hundred versions more", async (t) => {
  const { namespace, note, watching, writes } = await watchNotes(t);
  await writes(1, 100);
  await watching.caughtUp();
  deepEqual(numbersIn(watching.history("configmaps")), upTo(100));
  await admin.delete(configMaps, keyOf(note));
  await watching.caughtUp();
  const last = watching.history().at(-1);
  deepEqual([last?.type, last?.key, last?.uid], ["DELETED", `${namespace}/note`, note.metadata.uid]);
  equal(
    watching.current().some(({ key }) => key.endsWith("/note")),
    false,
  );
  await watching.close();
});

test("lost connections cost no version, and none is told twice", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const { watching, writes } = await watchNotes(t, client);
  for (const from of [1, 31, 61]) {
    await until("the watch is open", () => proxy.watching() === 1);
    const writing = writes(from, from + 29);
    proxy.cutWatches();
    await writing;
  }
  await watching.caughtUp();
  deepEqual(numbersIn(watching.history()), upTo(90));
  await watching.close();
});

test("catching up waits for what is stored and not yet seen", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const { watching, writes } = await watchNotes(t, client);
  await until("the watch is open", () => proxy.watching() === 1);
  proxy.delayWatches(300);
  await writes(1, 5);
  await watching.caughtUp();
  deepEqual(numbersIn(watching.history()), upTo(5));
  await watching.close();
});

test("a version that was missed for good is a failure of the monitor", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const { watching, writes } = await watchNotes(t, client);
  await until("the watch is open", () => proxy.watching() === 1);
  proxy.gone();
  await writes(1, 2);
  await rejects(watching.caughtUp(), /versions of configmaps after \d+ were missed/);
  await rejects(watching.close(), /were missed/);
});

test("only what is meant is seen, and catching up does not wait for what is not", async (t) => {
  const place = await newPlace(t, admin);
  const other = await newPlace(t, admin);
  const mine = await newVolume(t, admin, place);
  const watching = await monitor({
    client: admin,
    watched: [
      { resource: persistentVolumeClaims },
      { resource: persistentVolumes, only: (volume) => volume.metadata.name === mine.metadata.name },
      { resource: configMaps, namespaces: [place.namespace] },
    ],
  });
  await newVolume(t, admin, other);
  await admin.create(configMaps, { metadata: { namespace: other.namespace, name: "note" } });
  await admin.create(configMaps, { metadata: { namespace: place.namespace, name: "note" } });
  await watching.caughtUp(AbortSignal.timeout(30_000));
  deepEqual([...new Set(watching.history("persistentvolumes").map(({ key }) => key))], [mine.metadata.name]);
  const notes = watching.history("configmaps").filter(({ key }) => key.endsWith("/note"));
  deepEqual(
    notes.map(({ type, key }) => [type, key]),
    [["ADDED", `${place.namespace}/note`]],
  );
  await watching.close();
});

test("what was stored first is judged first, though another watch tells it later", async (t) => {
  const { proxy, client } = await behindProxy(t, cluster);
  const namespace = await newNamespace(t, admin);
  const afterItsKey: StateRule = {
    id: "X0",
    says: "a note comes after its key",
    holds: ({ key }, history) =>
      key !== `${namespace}/note` || history.some((before) => before.key === `${namespace}/key`) || "there is no key",
  };
  const watched = [configMaps, secrets].map((resource) => ({ resource, namespaces: [namespace] }));
  const watching = await monitor({ client, watched, rules: [afterItsKey] });
  await until("the watches are open", () => proxy.watching() === 2);
  proxy.holdWatches("secrets");
  await admin.create(secrets, { metadata: { namespace, name: "key" } });
  await until("the key is told late", () => proxy.heldEvents("secrets") > 0);
  await admin.create(configMaps, { metadata: { namespace, name: "note" } });
  setTimeout(() => proxy.releaseWatches(), 300);
  await watching.caughtUp();
  deepEqual(watching.violations(), []);
  const keys = watching.history().map(({ key }) => key);
  ok(keys.indexOf(`${namespace}/key`) < keys.indexOf(`${namespace}/note`), keys.join());
  await watching.close();
});

test("an invariant that is broken for one version is reported with that version, though all is well again", async (t) => {
  const neverThirteen: StateRule = {
    id: "X1",
    says: "no note is ever number 13",
    holds: ({ object }) => (object as Stored<ConfigMap>).data?.["i"] !== "13" || "it is 13",
  };
  const neverDown: StateRule = {
    id: "X2",
    says: "numbers only grow",
    holds(version, history) {
      const before = history.findLast(({ uid }) => uid === version.uid);
      const [was = -1, is = 0] = numbersIn(before === undefined ? [version, version] : [before, version]);
      return is >= was || `${was} became ${is}`;
    },
  };
  const careless: StateRule = {
    id: "X3",
    says: "it can be judged",
    holds({ object }) {
      if ((object as Stored<ConfigMap>).data?.["i"] === "7") throw new Error("oh");
      return true;
    },
  };
  const { watching, writes } = await watchNotes(t, admin, { rules: [neverThirteen, neverDown, careless] });
  await writes(1, 20);
  await writes(5, 6);
  await watching.caughtUp();
  deepEqual(
    watching.violations().map(({ rule, version, why }) => [rule.id, numbersIn([version]), why]),
    [
      ["X3", [7], "the rule itself failed: Error: oh"],
      ["X1", [13], "it is 13"],
      ["X2", [5], "20 became 5"],
    ],
  );
  await watching.close();
});

test("what is forgotten is how it came to be so, not what is there, and rules see only the rest", async (t) => {
  const seen: number[] = [];
  const counting: StateRule = {
    id: "X4",
    says: "it is counted",
    holds: (_, history) => (seen.push(history.length), true),
  };
  const { watching, writes } = await watchNotes(t, admin, { rules: [counting] });
  await writes(1, 5);
  await watching.caughtUp();
  const before = watching.current();
  watching.forget();
  deepEqual([watching.current(), watching.history()], [before, before]);
  await writes(6, 6);
  await watching.caughtUp();
  deepEqual(watching.violations(), []);
  equal(seen.at(-1), before.length);
  await watching.close();
});
