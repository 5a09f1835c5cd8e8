import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from "fast-check";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { keyOf, type Store, storeOf } from "../../src/kube/cache/store.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { type Holder, worldWith } from "./model/client.ts";
import { coreKinds } from "./model/kinds.ts";
import { emptyServer } from "./model/server.ts";
import { fail, fill } from "./model-sources.ts";
import { delivered, isShown, listed, pendingIn, type View, withOwn } from "./views.ts";

/** A view that is written down and read again must be the cache that lived through it all. */
type Note = Stored<ConfigMap>;

const doings = oneof(
  record({ who: constantFrom("us", "others"), does: constantFrom("make", "write", "end", "letGo"), name: nat(1) }),
  record({ who: constantFrom("watch"), does: constantFrom("tell", "list"), name: nat(1) }),
);

interface Doing {
  readonly who: string;
  readonly does: string;
  readonly name: number;
}

class Cache {
  readonly #holder: Holder;
  readonly lived: Store<Note> = storeOf<Note>({}, fail);
  view: View;

  constructor(holder: Holder) {
    this.#holder = holder;
    this.view = listed(holder.server(), { resource: configMaps, where: {} });
    this.#list();
  }

  #list(): void {
    this.lived.replace(this.view.told, String(this.view.position));
  }

  tell(): void {
    const [event] = pendingIn(this.#holder.server(), this.view);
    if (event === undefined) return;
    this.view = delivered(this.view, event);
    if (event.type === "DELETED") this.lived.remove(event.object);
    else this.lived.put(event.object);
    this.lived.advance(String(event.version));
  }

  list(): void {
    this.view = listed(this.#holder.server(), this.view, this.view);
    this.#list();
  }

  wrote(note: Note): void {
    this.view = withOwn(this.view, { wrote: note });
    this.lived.wrote(note);
  }

  ended(note: Note): void {
    this.view = withOwn(this.view, { ended: { key: keyOf(note), uid: note.metadata.uid } });
    this.lived.ended(keyOf(note), note.metadata.uid);
  }

  /** What it shows, as it lived and as it is written down. */
  shown(): readonly [unknown, unknown] {
    const read = storeOf<Note>({}, fail);
    fill(read, this.view, (object) => object);
    const plain = (store: Store<Note>) =>
      [...store.values()]
        .map(({ data, metadata: m }) => JSON.stringify([m.name, m.uid, m.resourceVersion, m.finalizers, data]))
        .sort();
    return [plain(read), plain(this.lived)];
  }
}

async function run({ client }: Holder, cache: Cache, { who, does, name: number }: Doing): Promise<void> {
  const key = { namespace: "home", name: `note-${number}` };
  if (does === "tell") return cache.tell();
  if (does === "list") return cache.list();
  const told = (note: Note) => (who === "us" ? cache.wrote(note) : undefined);
  if (does === "make") {
    const finalizers = number === 0 ? ["portway.dev/a"] : [];
    return told(await client.create(configMaps, { metadata: { ...key, finalizers }, data: { text: "0" } }));
  }
  const note = await client.get(configMaps, key);
  if (does === "write") {
    const text = `${Number(note.data?.["text"]) + 1}`;
    return told(await client.merge(configMaps, key, { data: { text } }));
  }
  if (does === "letGo") return told(await client.merge(configMaps, key, { metadata: { finalizers: null } }));
  const left = await client.delete(configMaps, { ...key, uid: note.metadata.uid });
  if (left !== undefined) return told(left);
  if (who === "us") cache.ended(note);
}

test("a view written down and read again shows what a cache shows that lived through it all", async () => {
  await assert(
    asyncProperty(array(doings, { maxLength: 25 }), async (all) => {
      const holder = await worldWith(emptyServer(coreKinds), "home");
      const cache = new Cache(holder);
      for (const doing of all) {
        await run(holder, cache, doing).catch((problem: unknown) => {
          if (!(problem instanceof ApiError)) throw problem;
        });
        const [read, lived] = cache.shown();
        deepEqual(read, lived, JSON.stringify(doing));
      }
    }),
    { numRuns: 1000, seed: 7 },
  );
});

const selectors: readonly (readonly [selector: string, isShown: boolean])[] = [
  ["", true],
  ["a", true],
  ["a=1", true],
  ["a==1", true],
  ["a=2", false],
  ["a!=1", false],
  ["a!=2", true],
  ["b", false],
  ["b!=1", true],
  ["a=1,b", false],
];

for (const [labelSelector, isThere] of selectors) {
  test(`a watch of "${labelSelector}" ${isThere ? "shows" : "does not show"} what is labelled a=1`, () => {
    const object = { metadata: { name: "n", uid: "u", resourceVersion: "1", labels: { a: "1" } } };
    deepEqual(isShown({ labelSelector }, object), isThere);
  });
}
