import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { failure } from "../../test/fixture/configuration.ts";
import { type Checks, type HealthOptions, readiness, serveHealth } from "./health.ts";
import { metricsRegistry } from "./metrics/registry.ts";

async function served(t: TestContext, more: Partial<HealthOptions> = {}) {
  const metrics = metricsRegistry();
  metrics.gauge({ name: "answer", help: "A." }).set({}, 42);
  const endpoint = { host: "127.0.0.1", port: 0 };
  const server = await serveHealth({ endpoint, metrics, alive: {}, ready: {}, ...more });
  t.after(() => server.close());
  return async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
}

test("metrics are served as Prometheus wants them", async (t) => {
  const { status, text, headers } = await (await served(t))("/metrics");
  equal(status, 200);
  equal(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  match(text, /^answer 42$/m);
});

test("a failed check is named with what is wrong, the others are listed beside it", async (t) => {
  const ready: Checks = {
    caches: () => undefined,
    lease: async () => "somebody else holds it",
    driver: () => {
      throw new Error("no socket");
    },
  };
  const { status, text } = await (await served(t, { ready }))("/readyz");
  equal(status, 503);
  deepEqual(text.trim().split("\n"), [
    "[+]caches ok",
    "[-]lease failed: somebody else holds it",
    "[-]driver failed: no socket",
    "readyz failed",
  ]);
});

test("a single check can be asked for, and one that there is not is not found", async (t) => {
  const alive: Checks = { "leader-election": () => "the lease is lost", loop: () => undefined };
  const ask = await served(t, { alive });
  equal((await ask("/healthz")).status, 503);
  equal((await ask("/healthz/leader-election")).status, 503);
  equal((await ask("/healthz/loop?verbose")).status, 200);
  equal((await ask("/healthz/nothing")).status, 404);
});

test("a check that hangs has failed", async (t) => {
  const ask = await served(t, { ready: { stuck: () => Promise.withResolvers<undefined>().promise } });
  match((await ask("/readyz")).text, /\[-\]stuck failed: no answer in time/);
});

test("what is ready becomes unready again", async (t) => {
  const atWork = readiness("it is starting or stopping");
  const ask = await served(t, { ready: { work: atWork.check } });
  equal((await ask("/readyz")).status, 503);
  atWork.set(true);
  equal((await ask("/readyz")).status, 200);
  atWork.set(false);
  match((await ask("/readyz")).text, /starting or stopping/);
});

test("only reading is allowed, and nothing else is served", async (t) => {
  const ask = await served(t);
  equal((await ask("/healthz", "HEAD")).text, "");
  equal((await ask("/healthz", "POST")).status, 405);
  for (const path of ["/", "/debug/pprof", "/metrics/x", "/healthz/a/b", "/.."])
    equal((await ask(path)).status, 404, path);
});

test("without an endpoint nothing is served", async () => {
  const server = await serveHealth({ endpoint: undefined, metrics: metricsRegistry(), alive: {}, ready: {} });
  equal(server.port, undefined);
  await server.close();
});

test("a port that is taken is said to whoever chose it", async (t) => {
  const options = { metrics: metricsRegistry(), alive: {}, ready: {} };
  const first = await serveHealth({ ...options, endpoint: { host: "127.0.0.1", port: 0 } });
  t.after(() => first.close());
  const endpoint = { host: "127.0.0.1", port: first.port ?? 0 };
  await rejects(serveHealth({ ...options, endpoint }), failure(/127\.0\.0\.1:\d+ cannot be served: EADDRINUSE/));
});

test("closing does not wait for somebody who never finishes asking", async (t) => {
  const endpoint = { host: "127.0.0.1", port: 0 };
  const server = await serveHealth({ endpoint, metrics: metricsRegistry(), alive: {}, ready: {} });
  const socket = connect(server.port ?? 0, "127.0.0.1");
  t.after(() => socket.destroy());
  const cut = once(socket, "close");
  socket.on("error", () => undefined);
  socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /hea");
  await once(socket, "data");
  await server.close();
  await cut;
});
