import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { everyKind, expectNothingLeft, targetOf, transportIn } from "../../../test/fixture/transport.ts";
import { errorOf } from "../errors.ts";
import type { Transport } from "./transport.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const trust = { ca: certificate };

const speaks: Readonly<
  Record<string, { readonly protocol: string; readonly atOnce: number; readonly connections: number }>
> = {
  "HTTP/2": { protocol: "2.0", atOnce: 50, connections: 1 },
  "HTTP/1.1 with TLS": { protocol: "1.1", atOnce: 10, connections: 10 },
  "plain HTTP/1.1": { protocol: "1.1", atOnce: 10, connections: 10 },
};

for (const [kind, serve] of everyKind({ cert: certificate, key })) {
  test(`${kind}: five hundred requests, many at a time, over no more connections than that needs`, async (t) => {
    const server = await serve(t, ({ path }, reply) => void reply.end(path));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { protocol, atOnce = 0, connections = 0 } = speaks[kind] ?? {};
    const paths = Array.from({ length: 500 }, (_, n) => `/n/${n}`);
    deepEqual((await getAll(transport, paths, atOnce)).toSorted(), paths.toSorted());
    equal(server.received[0]?.protocol, protocol);
    ok(server.sockets.length <= connections, `${server.sockets.length} connections`);
  });

  test(`${kind}: requests one after another share a connection`, async (t) => {
    const server = await serve(t, ({ path }, reply) => void reply.end(path));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    for (const path of ["/a", "/b", "/c"]) await transport.exchange({ method: "GET", path });
    equal(server.sockets.length, 1);
  });

  test(`${kind}: a DELETE arrives with its body, which holds the precondition`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end("{}"));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const body = JSON.stringify({ preconditions: { uid: "u-1" } });
    await transport.exchange({ method: "DELETE", path: "/x", body: Buffer.from(body) });
    equal(server.received[0]?.method, "DELETE");
    equal(server.received[0].body, body);
    equal(server.received[0].headers["transfer-encoding"], undefined);
  });

  test(`${kind}: an answer of twenty megabytes and a request of five arrive whole`, async (t) => {
    const pattern = "0123456789abcdef";
    const [answer, request] = [Buffer.alloc(20_000_000, pattern), Buffer.alloc(5_000_000, pattern)];
    const server = await serve(t, (_request, reply) => void reply.end(answer));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { text } = await transport.exchange({ method: "POST", path: "/", body: request });
    ok(Buffer.from(text).equals(answer));
    ok(Buffer.from(server.received[0]?.body ?? "").equals(request));
  });

  test(`${kind}: a stream waits for a reader that comes late and is slow, and loses nothing`, async (t) => {
    const answer = Buffer.alloc(4_000_000, "0123456789abcdef");
    const server = await serve(t, (_request, reply) => void reply.end(answer));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { body } = await transport.stream({ method: "GET", path: "/" });
    await sleep(200);
    ok(body.readableLength < 1_000_000, "what nobody reads yet is not fetched");
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (chunks.push(chunk) % 20 === 0) await sleep(1);
    }
    ok(Buffer.concat(chunks).equals(answer));
  });

  test(`${kind}: a server below a path, as gateways have it`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end());
    for (const base of ["/k8s/clusters/c-1", "/k8s/clusters/c-1/"]) {
      const transport = transportIn(t, targetOf(new URL(base, server.url), { trust }));
      await transport.exchange({ method: "GET", path: "/api/v1/pods?limit=5" });
      equal(server.received.at(-1)?.path, "/k8s/clusters/c-1/api/v1/pods?limit=5");
    }
  });

  test(`${kind}: every request says who asks, on whose behalf, and what it understands`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end());
    const impersonate = {
      user: "alice",
      groups: ["team-a", "team-b"],
      uid: "u-1",
      extra: { "example.com/Scopes": ["read", "write"] },
    };
    const transport = transportIn(t, targetOf(server.url, { trust, impersonate }));
    await transport.exchange({ method: "GET", path: "/", headers: { "x-more": "1" } });
    const headers = server.received[0]?.headers ?? {};
    const { ":authority": authority, host = authority } = headers;
    equal(host, server.url.host);
    equal(headers["user-agent"], "portway-test/1");
    equal(headers.accept, "application/json");
    equal(headers["x-more"], "1");
    equal(headers["impersonate-user"], "alice");
    equal(headers["impersonate-group"], "team-a, team-b");
    equal(headers["impersonate-uid"], "u-1");
    equal(headers["impersonate-extra-example.com%2fscopes"], "read, write");
  });

  test(`${kind}: an answer that is no API server's is handed on with its status, and in words`, async (t) => {
    const server = await serve(t, (_request, reply) => {
      reply.statusCode = 403;
      reply.setHeader("content-type", "text/html");
      reply.end("<html><h1>Log in</h1></html>");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const answer = await transport.exchange({ method: "GET", path: "/" });
    const error = errorOf({ verb: "get", resource: "pods", writes: false }, answer);
    match(error.message, /403, text\/html.* not from a Kubernetes API server: "<html><h1>Log in/);
  });
}

async function getAll(transport: Transport, paths: readonly string[], atOnce: number): Promise<readonly string[]> {
  const answers: string[] = [];
  const left = paths.values();
  const worker = async () => {
    for (const path of left) answers.push((await transport.exchange({ method: "GET", path })).text);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}
