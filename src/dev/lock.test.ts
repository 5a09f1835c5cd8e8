import { equal, notEqual, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { isLocked, lock, tryLock } from "./lock.ts";

const never = new AbortController().signal;
const freshPath = () => `/lock-test/${process.pid}/${Math.random()}`;

test("one holder at a time", async () => {
  const path = freshPath();
  const first = await tryLock(path);
  ok(first);
  equal(await tryLock(path), undefined);
  equal(await isLocked(path), true);
  await first.release();
  equal(await isLocked(path), false);
});

test("locks on different paths do not know each other", async () => {
  const [a, b] = [await tryLock(freshPath()), await tryLock(freshPath())];
  ok(a);
  ok(b);
  await Promise.all([a.release(), b.release()]);
});

test("whoever waits gets the lock when it is released, and is told once that it waits", async () => {
  const path = freshPath();
  const first = await tryLock(path);
  let told = 0;
  const second = lock(path, never, () => told++);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await first?.release();
  await (await second).release();
  equal(told, 1);
});

test("a lock is free when its holder is killed with SIGKILL", async () => {
  const path = freshPath();
  const code = `import { tryLock } from ${JSON.stringify(import.meta.resolve("./lock.ts"))};
    await tryLock(${JSON.stringify(path)}); console.log("held"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  equal(await isLocked(path), true);
  const next = lock(path, never, () => holder.kill("SIGKILL"));
  notEqual(await next, undefined);
  await (await next).release();
});

test("waiting ends when it is called off", async () => {
  const path = freshPath();
  const held = await tryLock(path);
  const off = new AbortController();
  const waiting = lock(path, off.signal, () => setImmediate(() => off.abort()));
  await rejects(waiting, { name: "AbortError" });
  await held?.release();
});
