import { deepEqual, equal, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { TLSSocket } from "node:tls";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import {
  always,
  everyKind,
  expectNothingLeft,
  http2Server,
  type Received,
  targetOf,
  transportIn,
  until,
} from "../../../test/fixture/transport.ts";
import type { CredentialSource, Credentials } from "../config/target.ts";
import { wholeText } from "./http.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
const read = { method: "GET", path: "/" } as const;
const sent = ({ headers }: Received) => headers.authorization;

/** Hands out one credential after another; `forget` goes on to the next. */
function rotating(...all: readonly Credentials[]): CredentialSource & { readonly refused: Credentials[] } {
  const refused: Credentials[] = [];
  return {
    refused,
    current: async () => all[Math.min(refused.length, all.length - 1)] ?? {},
    forget(one) {
      refused.push(one ?? {});
      return refused.length < all.length;
    },
  };
}

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: after a 401 the refused credentials are forgotten, once, and the next ones are tried`, async (t) => {
    const server = await serve(t, (request, reply) => {
      reply.statusCode = sent(request) === "Bearer new" ? 200 : 401;
      reply.end(`hello ${sent(request)}`);
    });
    const credentials = rotating({ token: "old" }, { token: "new" }, { token: "newer" });
    const transport = transportIn(t, targetOf(server.url, { trust, credentials }));
    const body = Buffer.from("x");
    equal((await transport.exchange({ method: "POST", path: "/", body })).text, "hello Bearer new");
    deepEqual(server.received.map(sent), ["Bearer old", "Bearer new"]);
    deepEqual(
      server.received.map((request) => request.body),
      ["x", "x"],
    );
    deepEqual(credentials.refused, [{ token: "old" }]);
  });

  test(`${kind}: a stream gets its second try too`, async (t) => {
    const server = await serve(t, (request, reply) => {
      reply.statusCode = sent(request) === "Bearer new" ? 200 : 401;
      reply.end("watched");
    });
    const credentials = rotating({ token: "old" }, { token: "new" });
    const transport = transportIn(t, targetOf(server.url, { trust, credentials }));
    const { status, body } = await transport.stream(read);
    equal(status, 200);
    equal(await wholeText(body), "watched");
  });
}

test("a 401 is the answer when there is nothing else to try, and when the second try gets it too", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => {
    reply.statusCode = 401;
    reply.end();
  });
  equal((await transportIn(t, targetOf(server.url, { trust })).exchange(read)).status, 401);
  equal(server.received.length, 1);
  const credentials = rotating({ token: "a" }, { token: "b" }, { token: "c" });
  equal((await transportIn(t, targetOf(server.url, { trust, credentials })).exchange(read)).status, 401);
  deepEqual(server.received.slice(1).map(sent), ["Bearer a", "Bearer b"]);
});

test("a new token is sent with the next request, over the same connection", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  let token = "one";
  const credentials = { current: async () => ({ token }), forget: () => false };
  const transport = transportIn(t, targetOf(server.url, { trust, credentials }));
  await transport.exchange(read);
  token = "two";
  await transport.exchange(read);
  deepEqual(server.received.map(sent), ["Bearer one", "Bearer two"]);
  equal(server.sockets.length, 1);
});

test("a user with a password sends both, whatever letters they have", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const credentials = always({ basic: { user: "jürgen", password: "a:b" } });
  await transportIn(t, targetOf(server.url, { trust, credentials })).exchange(read);
  equal(sent(server.received[0] as Received), `Basic ${Buffer.from("jürgen:a:b").toString("base64")}`);
});

for (const [kind, serve] of everyKind({ ...own, requestCert: true, rejectUnauthorized: false }).slice(0, 2)) {
  test(`${kind}: a new client certificate needs a new connection; the old one ends with its last answer`, async (t) => {
    const { promise: nowEnd, resolve: end } = Promise.withResolvers<void>();
    const server = await serve(t, async ({ path, socket }, reply) => {
      if (path === "/watch") {
        reply.write("begun ");
        await nowEnd;
      }
      reply.end(clientOf(socket));
    });
    let clientCertificate = testCertificate();
    const credentials = { current: async () => ({ clientCertificate }), forget: () => false };
    const transport = transportIn(t, targetOf(server.url, { trust, credentials }));
    const first = (await transport.exchange(read)).text;
    const watch = wholeText((await transport.stream({ method: "GET", path: "/watch" })).body);
    clientCertificate = testCertificate();
    const second = (await transport.exchange(read)).text;
    notEqual(second, first);
    equal((await transport.exchange(read)).text, second);
    equal(server.sockets.length, 2);
    end();
    equal(await watch, `begun ${first}`);
    await until("the old connection is closed", () => server.sockets[0]?.destroyed === true);
    equal(server.sockets[1]?.destroyed, false);
  });
}

function clientOf(socket: object): string {
  return socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint : "nobody";
}
