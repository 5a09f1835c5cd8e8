import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { constants, type ServerHttp2Session } from "node:http2";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import {
  expectNothingLeft,
  http2Server,
  type LocalServer,
  targetOf,
  transportIn,
  until,
} from "../../../test/fixture/transport.ts";
import { wholeText } from "./http.ts";
import type { Transport } from "./transport.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };

test("a server that says goodbye again and again under load loses no request and stores no write twice", async (t) => {
  const stored: string[] = [];
  let goodbyes = 0;
  let untilGoodbye = 50;
  const server = await http2Server(t, own, async ({ method, path, body }, reply) => {
    if (method === "POST") stored.push(body);
    if (--untilGoodbye === 0) {
      untilGoodbye = 50 + Math.floor(Math.random() * 100);
      goodbyes++;
      setTimeout(() => sayGoodbye(server), Math.random() * 8);
    }
    await sleep(Math.random() * 8);
    reply.end(method === "POST" ? body : path);
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const numbers = Array.from({ length: 1500 }, (_, n) => `${n}`);
  const left = numbers.values();
  const worker = async () => {
    for (const n of left) equal(await ask(transport, n), n);
  };
  await Promise.all(Array.from({ length: 40 }, worker));
  ok(goodbyes >= 5);
  deepEqual(stored.toSorted(), numbers.filter(isWrite).toSorted());
});

const isWrite = (n: string) => Number(n) % 2 === 0;

async function ask(transport: Transport, n: string): Promise<string> {
  if (isWrite(n)) return (await transport.exchange({ method: "POST", path: "/", body: Buffer.from(n) })).text;
  return (await transport.exchange({ method: "GET", path: `/${n}` })).text.slice(1);
}

/** Not with goaway(): after that alone Node's server goes on to take requests that its goodbye has left out. */
function sayGoodbye({ sessions }: LocalServer): void {
  for (const session of sessions) session.close();
}

test("after a goodbye running answers go on to their end, and new requests take a new connection", async (t) => {
  const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
  const server = await http2Server(t, own, async ({ path }, reply) => {
    if (path === "/watch") {
      reply.write("first ");
      await nowEnd;
    }
    reply.end("last");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const { body } = await transport.stream({ method: "GET", path: "/watch" });
  const text = wholeText(body);
  sayGoodbye(server);
  await until("the goodbye is heard", () => server.sessions.values().every(({ closed }) => closed));
  equal((await transport.exchange({ method: "GET", path: "/other" })).text, "last");
  equal(server.sockets.length, 2);
  end();
  equal(await text, "first last");
  await until("the old connection is closed", () => server.sockets[0]?.destroyed === true);
  equal((await transport.exchange({ method: "GET", path: "/other" })).text, "last");
  equal(server.sockets.length, 2);
});

test("a write that an angry goodbye leaves out is sent again; one that it does not is in doubt", async (t) => {
  const server = await http2Server(t, own, async ({ body }, reply) => {
    if (server.received.length === 2) {
      const [session] = server.sessions;
      session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 1);
    }
    if (server.received.length > 2) reply.end(body);
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const first = transport.exchange({ method: "POST", path: "/", body: Buffer.from("taken") });
  const lost = rejects(first, { name: "ConnectionError", sent: true });
  await until("the first is there", () => server.received.length === 1);
  equal((await transport.exchange({ method: "POST", path: "/", body: Buffer.from("left out") })).text, "left out");
  await lost;
  deepEqual(
    server.received.map(({ body }) => body),
    ["taken", "left out", "left out"],
  );
});

test("a server that says goodbye to every connection at once is asked a few times, and gets no request", async (t) => {
  const onSession = (session: ServerHttp2Session) => void session.on("remoteSettings", () => session.close());
  const server = await http2Server(t, { ...own, onSession }, (_request, reply) => void reply.end());
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const asked = transport.exchange({ method: "POST", path: "/", body: Buffer.from("x"), timeoutSeconds: 0.5 });
  await rejects(asked, { name: "ConnectionError", sent: false });
  ok(server.sockets.length < 20, `${server.sockets.length} connections`);
});
