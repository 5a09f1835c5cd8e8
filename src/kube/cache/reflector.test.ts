import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client.ts";
import { ApiError } from "../errors.ts";
import type { Query } from "../paths.ts";
import { type ReflectorOptions, reflect } from "./reflector.ts";
import type { Kept } from "./store.ts";

const pods = { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true };
const quick = { frozen: true, firstPauseMilliseconds: 1, longestPauseMilliseconds: 5 };

type Script = (query: Query, body: PassThrough) => void;

function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function pod(name: string, uid: string, version: number): object {
  return { metadata: { name, uid, resourceVersion: String(version) } };
}

const endOfList = (version: number) =>
  line("BOOKMARK", {
    metadata: { resourceVersion: String(version), annotations: { "k8s.io/initial-events-end": "true" } },
  });

function refusal(code: number, reason = "X"): ApiError {
  const facts = { code, reason, message: "no", causes: [], retryAfterSeconds: undefined };
  return new ApiError({ verb: "watch", resource: "pods", writes: false }, facts, "transient");
}

/** A server that plays one script a watch; the same reflector runs on the real one in test/endurance. */
function follow(
  t: TestContext,
  scripts: readonly Script[],
  pages: readonly object[][] = [],
  more: Partial<Pick<ReflectorOptions<Kept, Kept>, "project" | "indexes">> = {},
) {
  const queries: Query[] = [];
  const troubles: string[] = [];
  const changes: string[] = [];
  const client = {
    async watch(_resource: unknown, _where: unknown, query: Query) {
      const script = scripts[queries.length];
      queries.push(query);
      const body = new PassThrough();
      script?.(query, body);
      return { status: 200, headers: {}, body };
    },
    async *pages() {
      for (const items of pages) yield { items, resourceVersion: "50" };
    },
  } as unknown as Client;
  const reflector = reflect<Kept, Kept>({
    client,
    resource: pods,
    project: (object) => object,
    settings: quick,
    onTrouble: (p) => troubles.push(String(p)),
    ...more,
  });
  reflector.cache.onChange((before, after) =>
    changes.push(`${before?.metadata.uid ?? "-"}>${after?.metadata.uid ?? "-"}`),
  );
  t.after(() => reflector.stop());
  const untilWatched = async (times: number) => {
    while (queries.length < times) await sleep(2);
    await sleep(5);
  };
  return { reflector, queries, troubles, changes, untilWatched };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

const firstList: Script = (_query, body) =>
  void body.write(line("ADDED", pod("a", "u1", 10)) + line("ADDED", pod("b", "u2", 11)) + endOfList(20));

test("the first list is shown as a whole, never in parts", async (t) => {
  const { reflector, changes } = follow(t, [(_q, body) => void body.write(line("ADDED", pod("a", "u1", 10)))]);
  await sleep(20);
  equal(reflector.cache.size, 0);
  deepEqual(changes, []);
});

test("a watch that ends goes on from the last version it heard of, bookmarks included", async (t) => {
  const ends: Script = (_q, body) =>
    void body.end(line("MODIFIED", pod("a", "u1", 21)) + line("BOOKMARK", { metadata: { resourceVersion: "33" } }));
  const { queries, untilWatched } = follow(t, [(q, body) => (firstList(q, body), body.end()), ends]);
  await untilWatched(3);
  equal(queries[0]?.["sendInitialEvents"], "true");
  equal(queries[0]?.["resourceVersion"], undefined, "a first list is never allowed to be old");
  equal(queries[1]?.["resourceVersion"], "20");
  equal(queries[2]?.["resourceVersion"], "33");
  ok(queries.every((q) => q["allowWatchBookmarks"] === "true" && Number(q["timeoutSeconds"]) >= 300));
});

for (const [says, expired] of [
  ["as an event", (_q: Query, body: PassThrough) => void body.end(line("ERROR", { code: 410, reason: "Expired" }))],
  [
    "as an answer",
    () => {
      throw refusal(410, "Expired");
    },
  ],
] as const) {
  test(`410 ${says}: a new list tells the deletions that were missed`, async (t) => {
    const later: Script = (_q, body) => void body.write(line("ADDED", pod("b", "u3", 40)) + endOfList(41));
    const { queries, changes, troubles, untilWatched } = follow(t, [
      (q, body) => (firstList(q, body), body.end()),
      expired,
      later,
    ]);
    await untilWatched(3);
    equal(queries[2]?.["sendInitialEvents"], "true");
    deepEqual(changes, ["->u1", "->u2", "u1>-", "u2>-", "->u3"]);
    deepEqual(troubles, [], "it is ordinary");
  });
}

test("garbage in the stream: nothing is skipped, the watch goes on from before it", async (t) => {
  const garbage: Script = (_q, body) =>
    void body.write(`${line("MODIFIED", pod("a", "u1", 21))}{"type":"DELE\n${line("MODIFIED", pod("a", "u1", 30))}`);
  const { queries, troubles, reflector, untilWatched } = follow(t, [
    (q, body) => (firstList(q, body), body.end()),
    garbage,
  ]);
  await untilWatched(3);
  equal(queries[2]?.["resourceVersion"], "21");
  equal(reflector.cache.get("a")?.metadata.resourceVersion, "21");
  match(troubles.join(), /not JSON/);
});

/** Throws the first time it is shown this version. */
function stumblesAt(version: string): (object: Kept) => Kept {
  let hasStumbled = false;
  return (object) => {
    if (hasStumbled || object.metadata.resourceVersion !== version) return object;
    hasStumbled = true;
    throw new TypeError("not as expected");
  };
}

test("an event that could not be kept is asked for again: the position is never ahead of the cache", async (t) => {
  const changes: Script = (_q, body) => void body.write(line("MODIFIED", pod("a", "u1", 21)));
  const scripts: readonly Script[] = [(q, body) => (firstList(q, body), body.end()), changes, changes];
  const { queries, reflector, troubles, untilWatched } = follow(t, scripts, [], { project: stumblesAt("21") });
  await untilWatched(3);
  equal(queries[2]?.["resourceVersion"], "20");
  equal(reflector.cache.get("a")?.metadata.resourceVersion, "21");
  match(troubles.join(), /not as expected/);
});

test("a list that could not be kept is asked for again as a whole", async (t) => {
  const stumbles = stumblesAt("11");
  const indexes = { name: (object: Kept) => [stumbles(object).metadata.name] };
  const { queries, reflector, untilWatched } = follow(t, [firstList], [[pod("a", "u1", 10)]], { indexes });
  await untilWatched(2);
  equal(queries[1]?.["resourceVersion"], "50", "it came in pages, and the watch goes on from there");
  equal(reflector.cache.size, 1);
});

test("the same garbage twice: a new list instead of a loop", async (t) => {
  const garbage: Script = (_q, body) => void body.write("rubbish\n");
  const { queries, untilWatched } = follow(t, [(q, body) => (firstList(q, body), body.end()), garbage, garbage]);
  await untilWatched(4);
  equal(queries[3]?.["sendInitialEvents"], "true");
});

test("a first list that is cut off leaves no trace", async (t) => {
  const cut: Script = (_q, body) => void body.end(line("ADDED", pod("x", "u9", 5)));
  const { reflector, untilWatched } = follow(t, [cut, firstList]);
  await untilWatched(2);
  await reflector.untilSynced();
  deepEqual(
    [...reflector.cache.values()].map((p) => p.metadata.name),
    ["a", "b"],
  );
});

test("a server that does not stream its list is asked for pages, without a word", async (t) => {
  const refuses: Script = () => {
    throw refusal(422, "Invalid");
  };
  const { reflector, queries, troubles, untilWatched } = follow(
    t,
    [refuses],
    [[pod("a", "u1", 10)], [pod("b", "u2", 11)]],
  );
  await untilWatched(2);
  equal(reflector.cache.size, 2);
  equal(queries[1]?.["resourceVersion"], "50");
  deepEqual(troubles, []);
});

test("what is kept cannot be changed where that is asked for", async (t) => {
  const { reflector } = follow(t, [firstList]);
  await reflector.untilSynced();
  throws(() => Object.assign(reflector.cache.get("a")?.metadata ?? {}, { name: "mine" }), TypeError);
});

test("it never gives up: refused, forbidden, failed, and then let in", async (t) => {
  const no =
    (code: number): Script =>
    () => {
      throw refusal(code);
    };
  const { reflector, troubles } = follow(t, [no(403), no(500), no(401), no(403), firstList]);
  await reflector.untilSynced();
  ok(troubles.length >= 4);
});

test("a streamed list that fails is asked for in pages: progress is better than the same failure again", async (t) => {
  const broken: Script = (_q, body) => void body.end(line("ADDED", pod("x", "u9", 5)));
  const { reflector, queries } = follow(t, [broken], [[pod("a", "u1", 10)]]);
  await reflector.untilSynced();
  deepEqual(
    [...reflector.cache.values()].map((p) => p.metadata.uid),
    ["u1"],
  );
  equal(queries.filter((q) => q["sendInitialEvents"] === "true").length, 1);
});

test("waiting for the first list ends when the reflector is stopped or the caller gives up", async (t) => {
  const { reflector } = follow(t, [() => undefined]);
  await rejects(reflector.untilSynced(AbortSignal.abort(new Error("enough"))), /enough/);
  const waiting = rejects(reflector.untilSynced(), /stopped/);
  await reflector.stop();
  await waiting;
});

test("whoever listens to troubles cannot end it by throwing", async (t) => {
  let tries = 0;
  const client = {
    watch: async () => {
      tries++;
      throw refusal(500);
    },
  } as unknown as Client;
  const onTrouble = () => {
    throw new Error("a broken listener");
  };
  const reflector = reflect<Kept, Kept>({
    client,
    resource: pods,
    project: (o) => o,
    settings: { ...quick, streamed: true },
    onTrouble,
  });
  t.after(() => reflector.stop());
  await until(() => tries >= 3);
});

test("stopped while it waits to try again, it stops at once and asks no more", async () => {
  let asked = 0;
  const client = {
    watch: async () => {
      asked++;
      throw refusal(500);
    },
  } as unknown as Client;
  const reflector = reflect<Kept, Kept>({
    client,
    resource: pods,
    project: (o) => o,
    settings: { firstPauseMilliseconds: 60_000 },
    onTrouble: () => undefined,
  });
  await sleep(10);
  await reflector.stop();
  equal(asked, 1);
});
