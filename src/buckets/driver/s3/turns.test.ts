import { deepEqual, rejects } from "node:assert/strict";
import { test } from "node:test";
import { turns } from "./turns.ts";

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

test("work for one key is done one after another, in the order of asking", async () => {
  const line = turns();
  const [done, first] = [[] as string[], gate()];
  const all = [
    line.take("a", async () => {
      await first.promise;
      done.push("first");
    }),
    line.take("a", async () => void done.push("second")),
    line.take("a", async () => void done.push("third")),
  ];
  await line.take("b", async () => void done.push("of another key"));
  deepEqual(done, ["of another key"]);
  first.open();
  await Promise.all(all);
  deepEqual(done, ["of another key", "first", "second", "third"]);
});

test("work that fails is told to whoever asked, and the next one has its turn", async () => {
  const line = turns();
  const fails = line.take("a", async () => await Promise.reject(new Error("it broke")));
  const next = line.take("a", async () => "fine");
  await rejects(fails, /it broke/);
  deepEqual(await next, "fine");
  deepEqual(await line.take("a", async () => "later"), "later");
});
