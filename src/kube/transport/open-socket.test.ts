import { equal, rejects } from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
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

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
const write = { method: "POST", path: "/", body: Buffer.from("x") } as const;
const cannotConnect = (why: RegExp) => ({ name: "ConnectionError", sent: false, message: why });

test("where nobody listens, the sentence says so, and nothing was sent", async (t) => {
  const server = await http2Server(t, own, () => undefined);
  await server.stop();
  const refused = cannotConnect(/^cannot connect to https:\/\/127.0.0.1:\d+: nobody listens there; is the server up/);
  await rejects(transportIn(t, targetOf(server.url, { trust })).stream(write), refused);
  const plain = targetOf(new URL(`http://${server.url.host}`));
  await rejects(transportIn(t, plain).stream(write), cannotConnect(/nobody listens there/));
});

test("a server that comes up a moment later gets the request, a write too", async (t) => {
  const gone = await http2Server(t, own, () => undefined);
  await gone.stop();
  const transport = transportIn(t, targetOf(gone.url, { trust }));
  const asked = transport.exchange(write);
  const server = await http2Server(
    t,
    { ...own, port: Number(gone.url.port) },
    (_request, reply) => void reply.end("ok"),
  );
  equal((await asked).text, "ok");
  equal(server.received.length, 1);
});

test("a server of another certificate authority is not talked to", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const unknown = cannotConnect(/not signed by the certificate authority in the kubeconfig/);
  const other = targetOf(server.url, { trust: { ca: testCertificate().certificate } });
  await rejects(transportIn(t, other).stream(write), unknown);
  await rejects(transportIn(t, targetOf(server.url)).stream(write), unknown);
  equal(server.received.length, 0);
});

test("whoever skips verification talks to anybody", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end("ok"));
  const transport = transportIn(t, targetOf(server.url, { trust: { skipVerify: true } }));
  equal((await transport.exchange(write)).text, "ok");
});

test("a certificate must be for the name that is expected: the address, or tls-server-name", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end("ok"));
  for (const serverName of ["localhost", "127.0.0.1"]) {
    const transport = transportIn(t, targetOf(server.url, { trust: { ...trust, serverName } }));
    equal((await transport.exchange(write)).text, "ok", serverName);
  }
  for (const serverName of ["elsewhere.example", "127.0.0.2"]) {
    const transport = transportIn(t, targetOf(server.url, { trust: { ...trust, serverName } }));
    await rejects(transport.stream(write), cannotConnect(/is for another name; set tls-server-name/), serverName);
  }
});

test("a server by name or by IPv6 address is called by it", async (t) => {
  const server = await http2Server(
    t,
    { ...own, host: "::" },
    ({ headers }, reply) => void reply.end(headers[":authority"]),
  );
  for (const host of ["localhost", "[::1]"]) {
    const url = new URL(`https://${host}:${server.url.port}`);
    const transport = transportIn(t, targetOf(url, { trust: { ...trust, serverName: "localhost" } }));
    equal((await transport.exchange({ method: "GET", path: "/" })).text, url.host);
  }
});

for (const [says, meet] of Object.entries({
  "plain HTTP": (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "another protocol": (socket: Socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n"),
})) {
  test(`a server that speaks ${says} where TLS is expected is told from a broken one`, async (t) => {
    const url = await peer(t, meet);
    await rejects(transportIn(t, targetOf(url, { trust })).stream(write), cannotConnect(/it does not speak TLS/));
  });
}

test("a server that hangs up at once is an error, with TLS agreed on or not", async (t) => {
  const before = transportIn(t, targetOf(await peer(t, (socket) => socket.destroy()), { trust }));
  await rejects(before.stream(write), cannotConnect(/cannot connect/));
  const server = await http2Server(t, own, () => undefined);
  const listening = until("it is there", () => server.sockets.length > 0).then(() => server.cut());
  await rejects(transportIn(t, targetOf(server.url, { trust })).stream(write), { name: "ConnectionError" });
  await listening;
});

test("a client without the certificate that the server demands has sent nothing", async (t) => {
  const server = await http2Server(t, { ...own, requestCert: true, ca: certificate }, () => undefined);
  const transport = transportIn(t, targetOf(server.url, { trust }));
  await rejects(transport.stream(write), cannotConnect(/it demands a client certificate/));
});

test("a hundred requests that find no connection open one between them", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const transport = transportIn(t, targetOf(server.url, { trust }));
  await Promise.all(Array.from({ length: 100 }, () => transport.exchange(write)));
  equal(server.sockets.length, 1);
});

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: a connection that was opened for somebody who did not wait is closed with the rest`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end());
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const off = new AbortController();
    const asked = transport.exchange({ ...write, signal: off.signal });
    setImmediate(() => off.abort());
    await rejects(asked);
    await until("the connection is there", () => server.sockets.length === 1);
    await transport.close();
    await until("it is closed", () => openSockets() === 0);
  });
}

/** A peer that is no HTTP server. */
async function peer(t: TestContext, meet: (socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    t.after(() => socket.destroy());
    meet(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
