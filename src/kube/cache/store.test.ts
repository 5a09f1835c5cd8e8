import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { test } from "node:test";
import { array, assert as check, constantFrom, nat, oneof, property, record } from "fast-check";
import { type Kept, keyOf, storeOf } from "./store.ts";
import { isAtLeast } from "./versions.ts";

interface Thing extends Kept {
  readonly colour?: string;
}

function thing(name: string, uid: string, version: number, colour = "red"): Thing {
  return { metadata: { name, uid, resourceVersion: String(version) }, colour };
}

function storeWithLog() {
  const log: string[] = [];
  const store = storeOf<Thing>({ colour: ({ colour }) => (colour === undefined ? [] : [colour]) }, (problem) =>
    log.push(String(problem)),
  );
  store.onChange((before, after) => log.push(`${before?.metadata.uid ?? "-"}>${after?.metadata.uid ?? "-"}`));
  return { store, log };
}

const pictureOf = (...things: Thing[]) => new Map(things.map((t) => [keyOf(t), t]));

test("added, changed and deleted are told with what was before", () => {
  const { store, log } = storeWithLog();
  store.put(thing("a", "u1", 1));
  store.put(thing("a", "u1", 2));
  store.remove(thing("a", "u1", 3));
  deepEqual(log, ["->u1", "u1>u1", "u1>-"]);
  equal(store.size, 0);
});

test("made again under one name is two changes, in a watch and in a list", () => {
  const { store, log } = storeWithLog();
  store.put(thing("a", "u1", 1));
  store.put(thing("a", "u2", 2));
  store.replace(pictureOf(thing("a", "u3", 3)), "3");
  deepEqual(log, ["->u1", "u1>-", "->u2", "u2>-", "->u3"]);
});

test("a new picture deletes what is missing and leaves what is equal in peace", () => {
  const { store, log } = storeWithLog();
  store.replace(pictureOf(thing("a", "u1", 1), thing("b", "u2", 2)), "5");
  log.length = 0;
  store.replace(pictureOf(thing("b", "u2", 2)), "6");
  deepEqual(log, ["u1>-"]);
});

test("an older version of an object, or the same, is no news", () => {
  const { store, log } = storeWithLog();
  store.put(thing("a", "u1", 10));
  store.put(thing("a", "u1", 10));
  store.put(thing("a", "u1", 9));
  deepEqual(log, ["->u1"]);
  equal(store.get("a")?.metadata.resourceVersion, "10");
});

test("the end of an object that is not the one we know is ignored", () => {
  const { store } = storeWithLog();
  store.put(thing("a", "u2", 5));
  store.remove(thing("a", "u1", 6));
  equal(store.size, 1);
});

test("an index follows every change, and an unknown one is a bug", () => {
  const { store } = storeWithLog();
  store.put(thing("a", "u1", 1, "red"));
  store.put(thing("b", "u2", 2, "red"));
  store.put(thing("a", "u1", 3, "blue"));
  deepEqual(
    store.by("colour", "red").map((t) => t.metadata.name),
    ["b"],
  );
  store.remove(thing("b", "u2", 4));
  deepEqual(store.by("colour", "red"), []);
  throws(() => store.by("size", "1"), /no index "size"/);
});

test("an index that throws leaves the cache as it was, for one object and for a whole picture", () => {
  const store = storeOf<Thing>(
    {
      colour: ({ colour }) => {
        if (colour === "bad") throw new Error("cannot index");
        return [];
      },
    },
    () => undefined,
  );
  store.put(thing("a", "u1", 1));
  throws(() => store.put(thing("a", "u1", 2, "bad")), /cannot index/);
  throws(() => store.replace(pictureOf(thing("b", "u2", 3), thing("c", "u3", 4, "bad")), "9"), /cannot index/);
  deepEqual(
    [...store.values()].map(({ metadata }) => `${metadata.name}${metadata.resourceVersion}`),
    ["a1"],
  );
  equal(store.resourceVersion, "");
});

test("a handler that throws is reported and harms nobody else", () => {
  const { store, log } = storeWithLog();
  store.onChange(() => {
    throw new Error("broken handler");
  });
  let later = 0;
  store.onChange(() => later++);
  store.put(thing("a", "u1", 1));
  deepEqual(log, ["->u1", "Error: broken handler"]);
  equal(later, 1);
});

test("whoever waits for its own write is let go when the cache knows it", async () => {
  const { store } = storeWithLog();
  const waiting = store.reached("100");
  store.advance("99");
  store.advance("101");
  await waiting;
  await store.reached("7");
  await rejects(store.reached("200", AbortSignal.abort(new Error("called off"))), /called off/);
});

test("versions are compared as numbers of any length", () => {
  check(property(nat(), nat(), (a, b) => isAtLeast(String(a), String(b)) === a >= b));
  equal(isAtLeast("9007199254740993", "9007199254740992"), true);
});

test("whatever happens, deletions told are exactly the objects that ended", () => {
  const act = record({
    name: constantFrom("a", "b", "c"),
    kind: oneof(constantFrom("write"), constantFrom("end"), constantFrom("relist")),
  });
  check(
    property(array(act, { maxLength: 60 }), (acts) => {
      const { store } = storeWithLog();
      const ended: string[] = [];
      store.onChange((before, after) => after === undefined && ended.push(before?.metadata.uid ?? ""));
      const server = new Map<string, Thing>();
      const gone: string[] = [];
      let version = 0;
      for (const { name, kind } of acts) {
        version++;
        const now = server.get(name);
        if (kind === "relist") store.replace(new Map(server), String(version));
        else if (kind === "end" && now !== undefined) {
          server.delete(name);
          gone.push(now.metadata.uid);
          // Every second end is missed by the watch; only the next list can tell.
          if (version % 2 === 0) store.remove(now);
        } else if (kind === "write") {
          const next = thing(name, now?.metadata.uid ?? `u${version}`, version);
          server.set(name, next);
          store.put(next);
        }
      }
      store.replace(new Map(server), String(version + 1));
      deepEqual(ended.toSorted(), gone.toSorted());
      deepEqual([...store.values()].map(keyOf).toSorted(), [...server.keys()].toSorted());
    }),
  );
});

test("what we wrote is known at once, and told once", () => {
  const { store, log } = storeWithLog();
  store.replace(pictureOf(thing("a", "u1", 1)), "1");
  log.length = 0;
  store.wrote(thing("a", "u1", 5));
  store.put(thing("a", "u1", 3));
  store.put(thing("a", "u1", 5));
  deepEqual(log, ["u1>u1"]);
  equal(store.get("a")?.metadata.resourceVersion, "5");
});

test("an answer that comes after the end of its object does not bring it back", () => {
  const { store } = storeWithLog();
  store.replace(pictureOf(), "1");
  store.put(thing("a", "u1", 5));
  store.remove(thing("a", "u1", 6));
  store.advance("6");
  store.wrote(thing("a", "u1", 5));
  equal(store.size, 0);
});

test("a list that is older than our own write does not undo it", () => {
  const { store, log } = storeWithLog();
  store.replace(pictureOf(thing("a", "u1", 1)), "1");
  store.wrote(thing("a", "u1", 5));
  store.wrote(thing("b", "u2", 6));
  log.length = 0;
  store.replace(pictureOf(thing("a", "u1", 1)), "4");
  deepEqual(log, []);
  deepEqual([...store.values()].map(({ metadata }) => metadata.resourceVersion).sort(), ["5", "6"]);
  store.replace(pictureOf(thing("a", "u1", 5)), "9");
  deepEqual(log, ["u2>-"], "a list that is younger than our write decides again");
});

test("what we have deleted stays away, though older news of it may come", () => {
  const { store, log } = storeWithLog();
  store.replace(pictureOf(thing("a", "u1", 1)), "1");
  store.ended("a", "u1");
  store.put(thing("a", "u1", 3));
  store.replace(pictureOf(thing("a", "u1", 3)), "3");
  equal(store.size, 0);
  store.remove(thing("a", "u1", 4));
  store.put(thing("a", "u2", 5));
  deepEqual(log, ["->u1", "u1>-", "->u2"]);
});

test("a server restored from a back-up counts, whatever we wrote before", () => {
  const { store } = storeWithLog();
  store.replace(pictureOf(thing("a", "u1", 90), thing("b", "u2", 91)), "100");
  store.wrote(thing("a", "u1", 105));
  store.ended("b", "u2");
  store.replace(pictureOf(thing("a", "u1", 40), thing("b", "u2", 41)), "50");
  deepEqual([...store.values()].map(({ metadata }) => metadata.resourceVersion).sort(), ["40", "41"]);
});
