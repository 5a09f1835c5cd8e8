import { deepEqual, equal, rejects } from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
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
const read = { method: "GET", path: "/" } as const;
const basic = (login: string) => `Basic ${Buffer.from(login).toString("base64")}`;

interface Proxy {
  readonly url: URL;
  readonly asked: readonly IncomingMessage[];
}

/** A forward proxy that may want a login. */
async function proxyIn(
  t: TestContext,
  { server = createServer(), login }: { readonly server?: Server; readonly login?: string } = {},
): Promise<Proxy> {
  const asked: IncomingMessage[] = [];
  server.on("connect", (request, near) => {
    asked.push(request);
    t.after(() => near.destroy());
    if (login !== undefined && request.headers["proxy-authorization"] !== basic(login)) {
      near.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 4\r\n\r\nNo.\n");
    } else join(near, request.url ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

function join(near: Duplex, to: string): void {
  const [host = "", port = ""] = to.split(":");
  const far = connect(Number(port), host, () => near.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  near.pipe(far).pipe(near);
  near.on("error", () => far.destroy()).on("close", () => far.destroy());
  far.on("error", () => near.destroy()).on("close", () => near.destroy());
}

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: requests go through the proxy's tunnel, over one connection`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end("through"));
    const proxy = await proxyIn(t);
    const transport = transportIn(t, targetOf(server.url, { trust, proxy: proxy.url }));
    for (let n = 0; n < 3; n++) equal((await transport.exchange(read)).text, "through");
    deepEqual(
      proxy.asked.map(({ url, headers }) => [url, headers.host]),
      [[server.url.host, server.url.host]],
    );
    await transport.close();
    await until("nothing is open", () => openSockets() === 0);
  });
}

test("a proxy gets the user and the password of its URL, whatever letters they have", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end("through"));
  const proxy = await proxyIn(t, { login: "me@work:p:ß/" });
  const url = new URL(`http://${encodeURIComponent("me@work")}:${encodeURIComponent("p:ß/")}@${proxy.url.host}`);
  const transport = transportIn(t, targetOf(server.url, { trust, proxy: url }));
  equal((await transport.exchange(read)).text, "through");
});

test("a proxy that refuses is named with its answer, without its password", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const proxy = await proxyIn(t, { login: "me:right" });
  const url = new URL(`http://me:wrong@${proxy.url.host}`);
  await rejects(transportIn(t, targetOf(server.url, { trust, proxy: url })).stream(read), {
    name: "ConnectionError",
    sent: false,
    message: `cannot connect to ${server.url.origin}: the proxy ${url.host} does not let us through: it answered 407; check the user and the password in its URL`,
  });
  equal(server.sockets.length, 0);
});

test("a proxy that is not there is not taken for a server that is not there", async (t) => {
  const gone = await http2Server(t, own, () => undefined);
  await gone.stop();
  const target = targetOf(new URL("https://10.0.0.1:6443"), { trust, proxy: new URL(`http://${gone.url.host}`) });
  const message = /the proxy 127.0.0.1:\d+ does not let us through: nobody listens there/;
  await rejects(transportIn(t, target).stream(read), { sent: false, message });
});

test("a proxy that hangs up, and one that leads to no TLS, are errors that leave nothing open", async (t) => {
  const hangsUp = createServer().on("connect", (_request, near) => void near.destroy());
  const [, , [, plain] = []] = everyKind(own);
  const server = await plain?.(t, () => undefined);
  const url = new URL(`https://${server?.url.host}`);
  const nowhere = targetOf(url, { trust, proxy: (await proxyIn(t, { server: hangsUp })).url });
  await rejects(transportIn(t, nowhere).stream(read), {
    sent: false,
    message: /the proxy \S+ does not let us through/,
  });
  const noTls = targetOf(url, { trust, proxy: (await proxyIn(t)).url });
  await rejects(transportIn(t, noTls).stream(read), { sent: false, message: /: it does not speak TLS/ });
  await until("nothing is open", () => openSockets() === 0);
});

test("a proxy may speak TLS itself, with a certificate of the cluster's authority, and no other", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end("through"));
  const proxy = await proxyIn(t, { server: createTlsServer(own) });
  const url = new URL(`https://${proxy.url.host}`);
  const transport = transportIn(t, targetOf(server.url, { trust, proxy: url }));
  equal((await transport.exchange(read)).text, "through");
  const other = await proxyIn(t, { server: createTlsServer({ ...otherCertificate() }) });
  const strange = targetOf(server.url, { trust, proxy: new URL(`https://${other.url.host}`) });
  await rejects(transportIn(t, strange).stream(read), {
    sent: false,
    message: /the proxy \S+ does not let us through: its certificate/,
  });
});

function otherCertificate(): { readonly cert: string; readonly key: string } {
  const { certificate, key } = testCertificate();
  return { cert: certificate, key };
}
