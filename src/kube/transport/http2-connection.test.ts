import { deepEqual, equal, rejects } from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { tcpProxyTo } from "../../../test/fixture/tcp-proxy.ts";
import { expectNothingLeft, http2Server, targetOf, transportIn, until } from "../../../test/fixture/transport.ts";
import { wholeText } from "./http.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
const read = { method: "GET", path: "/" } as const;

test("a server's limit of requests at a time is kept, and more connections are opened instead", async (t) => {
  const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
  const limited = { ...own, settings: { maxConcurrentStreams: 5 } };
  const server = await http2Server(t, limited, async (_request, reply) => {
    reply.write("begun ");
    await nowEnd;
    reply.end("whole");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  // Streams are sent once: a single one that is refused or waits for ever fails the test.
  const streams = await Promise.all(Array.from({ length: 23 }, () => transport.stream(read)));
  equal(server.sockets.length, 5);
  end();
  const texts = await Promise.all(streams.map(async ({ body }) => await wholeText(body)));
  deepEqual(new Set(texts), new Set(["begun whole"]));
  await Promise.all(Array.from({ length: 200 }, () => transport.exchange(read)));
});

test("a server that takes no requests for now is waited for, over one connection", async (t) => {
  const server = await http2Server(
    t,
    { ...own, settings: { maxConcurrentStreams: 0 } },
    (_request, reply) => void reply.end("ok"),
  );
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const asked = transport.exchange(read);
  await until("it is connected", () => server.sessions.size === 1);
  for (const session of server.sessions) session.settings({ maxConcurrentStreams: 10 });
  equal((await asked).text, "ok");
  equal(server.sockets.length, 1);
});

test("a peer that vanishes without a word is found out by pings: what waits for it ends with an error", async (t) => {
  const server = await http2Server(t, own, ({ path }, reply) => {
    if (path === "/watch") reply.write("begun");
    if (path === "/") reply.end("ok");
  });
  const wire = await tcpProxyTo(Number(server.url.port));
  t.after(() => wire.close());
  const url = new URL(`https://127.0.0.1:${wire.port}`);
  const liveness = { pingAfterMilliseconds: 50, deadAfterMilliseconds: 200 };
  const transport = transportIn(t, targetOf(url, { trust }), { liveness });
  const { body } = await transport.stream({ method: "GET", path: "/watch" });
  wire.stall();
  const lost = { name: "ConnectionError", message: /does not answer pings/ };
  const write = transport.exchange({ method: "POST", path: "/write", body: Buffer.from("x") });
  const ends = [rejects(once(body.resume(), "end"), lost), rejects(write, { ...lost, sent: true })];
  await Promise.all(ends);
  wire.cut();
  wire.flow();
  equal((await transport.exchange(read)).text, "ok");
  equal(server.sockets.length, 2);
});

test("a peer that is only silent is left in peace", async (t) => {
  const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
  let pings = 0;
  const server = await http2Server(t, own, async (_request, reply) => {
    reply.write("begun ");
    for (const session of server.sessions) session.on("ping", () => pings++);
    await nowEnd;
    reply.end("whole");
  });
  const liveness = { pingAfterMilliseconds: 10, deadAfterMilliseconds: 10_000 };
  const transport = transportIn(t, targetOf(server.url, { trust }), { liveness });
  const text = wholeText((await transport.stream(read)).body);
  await until("it was asked many times", () => pings > 5);
  end();
  equal(await text, "begun whole");
});
