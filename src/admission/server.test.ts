import { equal, match, rejects } from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { type TestContext, test } from "node:test";
import { connect } from "node:tls";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { metricsRegistry } from "../runtime/metrics/registry.ts";
import { type KeyPair, selfSigned } from "./certificate/self-signed.ts";
import { admissionMetrics } from "./metrics.ts";
import { path, serveAdmission } from "./server.ts";

function aPair(): KeyPair {
  const [notBefore, notAfter] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  return selfSigned({ names: ["127.0.0.1"], notBefore, notAfter });
}

async function serving(t: TestContext) {
  const registry = metricsRegistry();
  const metrics = admissionMetrics(registry, () => new Date(0));
  const endpoint = { host: "127.0.0.1", port: 0 };
  const server = await serveAdmission({ endpoint, metrics, log: rememberedLog().log });
  const pair = aPair();
  server.serve(pair);
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: pair.certificate });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    const ended = server.close(0);
    agent.destroy();
    await ended;
  };
  t.after(close);
  const ask = (options: RequestOptions = {}, body = "") => answer({ agent, port: server.port, path, ...options }, body);
  return { server, registry, pair, ask, close };
}

async function answer(options: RequestOptions, body: string) {
  const asking = request({ host: "127.0.0.1", method: "POST", ...options });
  asking.end(body);
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  const parts = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
}

const question = JSON.stringify({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u-1", operation: "CREATE", resource: { group: "", resource: "persistentvolumeclaims" } },
});

test("a question is answered, and counted", async (t) => {
  const { ask, registry } = await serving(t);
  const { status, text } = await ask({ path: `${path}?timeout=5s` }, question);
  equal(status, 200);
  match(text, /"uid":"u-1","allowed":true/);
  match(registry.text(), /webhook_requests_total\{code="200",webhook="give-and-accept"\} 1/);
});

const odd: readonly (readonly [says: string, options: RequestOptions, body: string, status: number])[] = [
  ["another path", { path: "/" }, question, 404],
  ["another method", { method: "GET" }, "", 405],
  ["nonsense", {}, "nonsense", 400],
  ["more than any API server asks", {}, "x".repeat(9 * 1024 * 1024), 413],
];

for (const [says, options, body, status] of odd) {
  test(`${says} is answered with ${status}`, async (t) =>
    equal((await (await serving(t)).ask(options, body)).status, status));
}

test("a new certificate meets new connections, and leaves open ones alone", async (t) => {
  const { server, ask, pair } = await serving(t);
  await ask({}, question);
  const successor = aPair();
  server.serve(successor);
  equal((await ask({}, question)).status, 200, "on the connection of before");
  await rejects(answer({ port: server.port, path, ca: pair.certificate }, question), /self-signed certificate/);
  equal((await answer({ port: server.port, path, ca: successor.certificate }, question)).status, 200);
});

test("before it has a certificate nobody gets as far as a question", async (t) => {
  const metrics = admissionMetrics(metricsRegistry(), () => new Date(0));
  const server = await serveAdmission({ endpoint: { host: "127.0.0.1", port: 0 }, metrics, log: rememberedLog().log });
  t.after(() => server.close(0));
  const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
  await rejects(once(socket, "secureConnect"));
});

test("whoever asks while it ends is answered, and told to come no more", async (t) => {
  const { server, ask } = await serving(t);
  equal((await ask({}, question)).headers.connection, "keep-alive");
  const ended = server.close(0.2);
  const last = await ask({}, question);
  equal(last.status, 200);
  equal(last.headers.connection, "close");
  await ended;
  await rejects(answer({ port: server.port, path, rejectUnauthorized: false }, question), /ECONNREFUSED/);
});

test("a connection on which nobody ever asked does not keep it from ending", async (t) => {
  const { server, close } = await serving(t);
  const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const gone = once(socket.resume(), "close");
  await close();
  await gone;
});
