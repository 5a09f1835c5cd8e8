import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fakeClock } from "../../test/fixture/fake-clock.ts";
import { until } from "../../test/fixture/portway.ts";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { exitOnBug, longestEndSeconds, type Parts, runProcess, stagesOf } from "./lifecycle.ts";

/** A process whose parts say when they are ended. */
function running(more: Parts = {}, broken?: Promise<never>) {
  const said: string[] = [];
  const stop = new AbortController();
  const clock = fakeClock();
  const { log, lines } = rememberedLog();
  const exits: number[] = [];
  const parts: Parts = {
    closeHealth: () => said.push("health"),
    closeClient: () => said.push("client"),
    releaseLease: async () => said.push("lease"),
    tellRest: async () => said.push("events"),
    finishCalls: async () => said.push("calls"),
    drainQueue: async () => said.push("queue"),
    stopWatches: async () => said.push("watches"),
    ...more,
  };
  const code = runProcess({
    log,
    stop: stop.signal,
    ready: { set: (isReady) => said.push(isReady ? "ready" : "not ready") },
    parts,
    clock,
    exit: (code) => exits.push(code),
    ...(broken === undefined ? {} : { broken }),
  });
  return { said, stop, clock, lines, exits, code };
}

const wholeWay = ["not ready", "watches", "queue", "calls", "events", "lease", "client", "health"];

test("nothing ends before somebody asks, and then everything in its order", async () => {
  const { said, stop, code, clock, exits } = running();
  await clock.settle();
  deepEqual(said, []);
  stop.abort();
  equal(await code, 0);
  deepEqual(said, wholeWay);
  deepEqual(exits, []);
});

test("each stage waits for the one before", async () => {
  const draining = Promise.withResolvers<void>();
  const { said, stop, code, clock } = running({ drainQueue: () => draining.promise });
  stop.abort();
  await clock.advance(20_000);
  deepEqual(said, ["not ready", "watches"]);
  draining.resolve();
  equal(await code, 0);
});

test("a stage that hangs is given up at its deadline and named, and the lease is released all the same", async () => {
  let told: unknown;
  const { said, stop, code, clock, lines, exits } = running({
    drainQueue: (signal) => {
      signal.addEventListener("abort", () => void (told = signal.reason));
      return Promise.withResolvers<void>().promise;
    },
  });
  stop.abort();
  await clock.advance(31_000);
  equal(await code, 1);
  deepEqual(
    said,
    wholeWay.filter((part) => part !== "queue"),
  );
  ok(lines.some(({ msg, level }) => level === "warn" && msg === "drain the queue: given up"));
  match(String(told), /longer than 30 s/);
  deepEqual(exits, [1], "what hangs cannot keep the process alive");
});

test("a stage that fails is said, and does not stop the others", async () => {
  const { said, stop, code, lines } = running({
    stopWatches: () => {
      throw new Error("no");
    },
  });
  stop.abort();
  equal(await code, 1);
  deepEqual(
    said,
    wholeWay.filter((part) => part !== "watches"),
  );
  ok(lines.some(({ msg, err }) => msg === "stop the watches: failed" && err === "no"));
});

test("a part that breaks ends the process in order, and not as a success", async () => {
  const broken = Promise.withResolvers<never>();
  const { said, code } = running({}, broken.promise);
  broken.reject(new Error("the driver's socket is gone"));
  equal(await code, 1);
  deepEqual(said, wholeWay);
});

test("asked to stop before it began, it ends at once", async () => {
  const { log } = rememberedLog();
  equal(await runProcess({ log, stop: AbortSignal.abort(), ready: { set: () => undefined }, parts: {} }), 0);
});

test("what a process does not have is no stage of its end", () => {
  deepEqual(
    stagesOf({ releaseLease: () => undefined, stopWatches: () => undefined }).map(({ name }) => name),
    ["stop the watches", "release the lease"],
  );
  ok(longestEndSeconds < 90, "a pod's grace period must be longer");
});

test("what nobody caught is logged with its stack, and ends the process", () => {
  const { log, lines } = rememberedLog();
  const from = new EventEmitter();
  const exits: number[] = [];
  exitOnBug(log, from, (code) => exits.push(code));
  from.emit("unhandledRejection", new Error("forgotten"));
  from.emit("uncaughtException", new Error("thrown"));
  from.emit("unhandledRejection", "a text");
  deepEqual(exits, [1, 1, 1]);
  deepEqual(
    lines.map(({ err }) => err),
    ["forgotten", "thrown", "a text"],
  );
  match(String(lines[0]?.["stack"]), /lifecycle\.test\.ts/);
});

/** A real process that runs this; answers it with what it says on stderr. */
function spawned(t: TestContext, body: string) {
  const program = `
    import { stopSignal } from "./src/cli/stop-signal.ts";
    import { exitOnBug, runProcess } from "./src/runtime/lifecycle.ts";
    import { logTo } from "./src/runtime/log.ts";
    const log = logTo(process.stderr, { format: "text", verbosity: 0, component: "t" });
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on("close", resolve);
  return { child, said: () => said, code: promise };
}

test("a second signal ends a real process, while a stage still hangs; the same one told twice does not", async (t) => {
  const { child, said, code } = spawned(
    t,
    `const stop = stopSignal();
     const hang = () => new Promise((resolve) => setTimeout(resolve, 600_000));
     setTimeout(() => log.info("up"), 0);
     process.exitCode = await runProcess({ log, stop, ready: { set: () => undefined }, parts: { drainQueue: hang } });`,
  );
  await until("it is up", () => said().includes("up"));
  child.kill("SIGTERM");
  await until("it stops", () => said().includes("stopping"));
  child.kill("SIGTERM");
  await sleep(200);
  equal(child.exitCode, null);
  await until("a later one ends it", () => !child.kill("SIGTERM") || child.exitCode !== null);
  equal(await code, 1);
  equal(said().includes("stopped"), false);
});

test("a promise that nobody waits for ends a real process, with its stack in the log", async (t) => {
  const { said, code } = spawned(
    t,
    `exitOnBug(log);
     setInterval(() => undefined, 1000);
     async function forgotten() { throw new Error("nobody waits"); }
     void forgotten();`,
  );
  equal(await code, 1);
  match(said(), /unhandledRejection: this process ends.*nobody waits.*stack="at forgotten/);
});
