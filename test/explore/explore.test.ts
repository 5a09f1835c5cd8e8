import { deepEqual, equal, notEqual, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import type { Client } from "../../src/kube/client.ts";
import { people, residents } from "./actors.ts";
import { canonical } from "./canonical.ts";
import { explore, type Invariant } from "./explore.ts";
import { worldWith } from "./model/client.ts";
import { coreKinds } from "./model/kinds.ts";
import { allOf, emptyServer, type Server } from "./model/server.ts";
import { change, type Transition } from "./model/transition.ts";
import type { World } from "./world.ts";

const key = (name: string) => ({ namespace: "home", name });
const make = (name: string, text: string) => (client: Client) =>
  client.create(configMaps, { metadata: key(name), data: { text } });

async function worldAfter(...writes: readonly ((client: Client) => Promise<unknown>)[]): Promise<World> {
  const holder = await worldWith(emptyServer(coreKinds), "home");
  for (const write of writes) await write(holder.client);
  return { server: holder.server(), processes: [], delayed: [], delays: 0, done: [] };
}

const textsIn = (server: Server) => allOf(server, configMaps).map(({ data }) => data?.["text"]);

/** Somebody who goes on rewriting every text that is here to what is there. */
function rewriter(says: string, from: string, to: string): Transition {
  return {
    says,
    from: (server) =>
      allOf(server, configMaps)
        .filter(({ data }) => data?.["text"] === from)
        .flatMap((note) => change(server, configMaps, { ...note, data: { text: to } } as typeof note)),
  };
}

const options = { invariants: [], depth: 20, mostStates: 1000 };

test("worlds that differ only in how they came to be are one", async () => {
  const one = await worldAfter(make("a", "1"), make("b", "2"));
  const other = await worldAfter(make("b", "2"), make("a", "0"), (client) =>
    client.merge(configMaps, key("a"), { data: { text: "1" } }),
  );
  notEqual(one.server.version, other.server.version);
  // Who is the younger is seen from the versions, so only those of the same order are one.
  notEqual(canonical(one), canonical(await worldAfter(make("b", "2"), make("a", "2"))));
  const later = await worldAfter(make("a", "0"), make("b", "0"), make("c", "0"), ...rewriteInTurn());
  equal(canonical(one), canonical(later));
});

function rewriteInTurn(): readonly ((client: Client) => Promise<unknown>)[] {
  return [
    async (client) => {
      const { uid } = (await client.get(configMaps, key("c"))).metadata;
      return await client.delete(configMaps, { ...key("c"), uid });
    },
    (client) => client.merge(configMaps, key("a"), { data: { text: "1" } }),
    (client) => client.merge(configMaps, key("b"), { data: { text: "2" } }),
  ];
}

test("the way to a violation is the shortest one", async () => {
  const never: Invariant = {
    id: "N",
    says: "no text is 3",
    holds: ({ server }) => !textsIn(server).includes("3") || "3 is there",
  };
  const steps = [
    rewriter("1 becomes 2", "1", "2"),
    rewriter("2 becomes 3", "2", "3"),
    rewriter("1 becomes 3", "1", "3"),
  ];
  const start = await worldAfter(make("a", "1"));
  const { violation } = await explore({ ...options, start, actors: [residents("it", steps)], invariants: [never] });
  deepEqual(violation, { id: "N", says: "no text is 3", why: "3 is there", trace: ["it: 1 becomes 3"] });
});

test("work that never comes to rest is found, however few worlds it goes through", async () => {
  const start = await worldAfter(make("a", "1"));
  const steps = [rewriter("1 becomes 2", "1", "2"), rewriter("2 becomes 1", "2", "1")];
  const { violation, isComplete, states } = await explore({ ...options, start, actors: [residents("it", steps)] });
  deepEqual([violation?.id, isComplete, states], ["rest", true, 2]);
});

test("work that may go on but can also end is at rest", async () => {
  const start = await worldAfter(make("a", "1"));
  const steps = [rewriter("up", "1", "2"), rewriter("down", "2", "1"), rewriter("out", "2", "3")];
  const { violation, rests } = await explore({ ...options, start, actors: [residents("it", steps)] });
  deepEqual([violation, rests], [undefined, 1]);
});

test("what must be true at rest is not asked before", async () => {
  const start = await worldAfter(make("a", "1"));
  const atRest: Invariant = {
    id: "R",
    at: "rest",
    says: "all is 2",
    holds: ({ server }) => !textsIn(server).includes("1") || "1 is left",
  };
  const work = residents("it", [rewriter("1 becomes 2", "1", "2")]);
  const fine = await explore({ ...options, start, actors: [work], invariants: [atRest] });
  equal(fine.violation, undefined);
  const idle = await explore({ ...options, start, actors: [], invariants: [atRest] });
  equal(idle.violation?.id, "R");
});

test("people do what they like once, and what the server refuses was not done", async () => {
  const start = await worldAfter();
  const acts = [
    { says: "makes a", act: make("a", "1") },
    { says: "makes a again", act: make("a", "2"), after: ["makes a"] },
    { says: "makes b", act: make("b", "1") },
  ];
  const { states, isComplete, depth } = await explore({ ...options, start, actors: [people(acts)] });
  deepEqual([isComplete, depth], [true, 2]);
  ok(states >= 4);
});

test("an exploration that grows too large says so", async () => {
  const acts = Array.from({ length: 6 }, (_, index) => ({ says: `makes ${index}`, act: make(`n-${index}`, "1") }));
  await rejects(
    explore({ ...options, start: await worldAfter(), actors: [people(acts)], mostStates: 20 }),
    /more than 20 states/,
  );
});
