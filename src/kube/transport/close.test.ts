import { equal, ok, rejects } from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import {
  everyKind,
  expectNothingLeft,
  http2Server,
  openSockets,
  targetOf,
  transportIn,
  until,
} from "../../../test/fixture/transport.ts";
import { wholeText } from "./http.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
const read = { method: "GET", path: "/" } as const;

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: closing waits for running answers, leaves nothing open, and takes no more requests`, async (t) => {
    const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
    const server = await serve(t, async ({ path }, reply) => {
      if (path === "/slow") await nowEnd;
      reply.end("whole");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    await Promise.all([transport.exchange(read), transport.exchange(read)]);
    const running = transport.exchange({ method: "GET", path: "/slow" });
    await until("it runs", () => server.received.length === 3);
    const closed = transport.close();
    await rejects(transport.exchange(read), /the client is closed/);
    end();
    equal((await running).text, "whole");
    await closed;
    await until("nothing is open", () => openSockets() === 0);
    equal(server.received.length, 3);
  });

  test(`${kind}: a stream that nobody reads may break without breaking anything else`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.write("begun"));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { body } = await transport.stream(read);
    server.cut();
    await until("it is over", () => body.destroyed);
    ok(body.errored);
  });

  test(`${kind}: a stream that its reader drops makes room at once`, async (t) => {
    let dropped = 0;
    const server = await serve(t, (_request, reply) => {
      reply.on("close", () => dropped++);
      reply.write("begun");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    (await transport.stream(read)).body.destroy();
    await until("the server knows", () => dropped === 1);
    await transport.close();
  });
}

test("closing ends a watch, which would go on for ever, with an error", async (t) => {
  const closings = everyKind(own).map(async ([, serve]) => {
    const server = await serve(t, (_request, reply) => void reply.write("begun"));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { body } = await transport.stream(read);
    const cut = rejects(wholeText(body), { name: "ConnectionError" });
    await transport.close();
    await cut;
  });
  await Promise.all(closings);
  await until("nothing is open", () => openSockets() === 0);
});

test("closing twice, and closing what was never used, is closing", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const transport = transportIn(t, targetOf(server.url, { trust }));
  await transport.close();
  const used = transportIn(t, targetOf(server.url, { trust }));
  await used.exchange(read);
  await Promise.all([used.close(), used.close()]);
  await used.close();
});

test("closing waits for the answers of a connection that the server has said goodbye to", async (t) => {
  const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
  const server = await http2Server(t, own, async (_request, reply) => {
    reply.write("begun ");
    await nowEnd;
    reply.end("whole");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const running = transport.exchange(read);
  await until("it runs", () => server.received.length === 1);
  for (const session of server.sessions) session.close();
  const other = transport.exchange({ method: "GET", path: "/other" });
  await until("another connection is there", () => server.received.length === 2);
  const closed = transport.close();
  end();
  equal((await running).text, "begun whole");
  equal((await other).text, "begun whole");
  await closed;
  await until("nothing is open", () => openSockets() === 0);
});

test("closing does not wait for a server that never answers", async (t) => {
  const server = createServer((socket) => t.after(() => socket.destroy())).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const direct = transportIn(t, targetOf(url, { trust }));
  const throughProxy = transportIn(t, targetOf(url, { trust, proxy: new URL(`http://${url.host}`) }));
  for (const transport of [direct, throughProxy]) {
    const asked = rejects(transport.exchange(read), /the client is closed/);
    const accepted = once(server, "connection");
    await accepted;
    await transport.close();
    await asked;
  }
});

test("what waits for its turn when the client is closed is not sent", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const transport = transportIn(t, targetOf(server.url, { trust }), { rate: { perSecond: 5, burst: 1 } });
  await transport.exchange(read);
  const waiting = rejects(transport.exchange(read), /the client is closed/);
  await transport.close();
  await waiting;
  equal(server.received.length, 1);
});
