import { equal, ok, rejects } from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { constants } from "node:http2";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { tcpProxyTo } from "../../../test/fixture/tcp-proxy.ts";
import {
  everyKind,
  expectNothingLeft,
  http2Server,
  targetOf,
  transportIn,
  until,
} from "../../../test/fixture/transport.ts";
import { wholeText } from "./http.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
/** Seconds in which a request arrives, however slow the machine: what is tried is the wait for the answer. */
const enough = 3;
const write = { method: "POST", path: "/things", body: Buffer.from("x") } as const;

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: a deadline that passes says so, leaves a write in doubt, and calls the request off at the server`, async (t) => {
    let calledOff = 0;
    const server = await serve(t, ({ method }, reply) => {
      if (method === "GET") reply.end();
      else reply.on("close", () => calledOff++);
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    await transport.exchange({ method: "GET", path: "/" });
    const message = `no answer to POST /things in ${enough} s: it waited for the answer`;
    const inDoubt = { name: "ConnectionError", message, sent: true };
    await Promise.all([
      rejects(transport.exchange({ ...write, timeoutSeconds: enough }), inDoubt),
      rejects(transport.stream({ ...write, timeoutSeconds: enough }), inDoubt),
    ]);
    await until("both are called off", () => calledOff === 2);
    equal(server.received.length, 3, "neither is sent twice");
  });

  test(`${kind}: a deadline holds in the middle of an answer too, but not for a stream that has begun`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.write("begun"));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const stream = await transport.stream({ method: "GET", path: "/watch", timeoutSeconds: enough });
    const expired = { name: "ConnectionError", message: /no answer to GET \/list in 3 s/ };
    await rejects(transport.exchange({ method: "GET", path: "/list", timeoutSeconds: enough }), expired);
    equal(stream.body.destroyed, false);
    stream.body.destroy();
  });

  test(`${kind}: a caller who calls off gets its own reason, at every moment, and the server is told`, async (t) => {
    let calledOff = 0;
    const server = await serve(t, ({ path }, reply) => {
      reply.on("close", () => calledOff++);
      if (path === "/half") reply.write("half");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const reason = new Error("enough");
    for (const path of ["/silent", "/half"]) {
      const off = new AbortController();
      const asked = transport.exchange({ method: "GET", path, signal: off.signal });
      await until("it has arrived", () => server.received.at(-1)?.path === path);
      off.abort(reason);
      await rejects(asked, reason);
    }
    await until("both are called off", () => calledOff === 2);
    await rejects(transport.exchange({ ...write, signal: AbortSignal.abort(reason) }), reason);
    equal(server.received.length, 2, "what was called off before is not sent");
  });

  test(`${kind}: a stream that its reader calls off ends with an error, and the server is told`, async (t) => {
    let calledOff = 0;
    const server = await serve(t, (_request, reply) => {
      reply.on("close", () => calledOff++);
      reply.write("begun");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const off = new AbortController();
    const { body } = await transport.stream({ method: "GET", path: "/watch", signal: off.signal });
    const text = rejects(wholeText(body), { name: "ConnectionError" });
    off.abort(new Error("enough"));
    await text;
    await until("it is called off", () => calledOff === 1);
  });

  test(`${kind}: a signal that lives long collects no listeners`, async (t) => {
    const server = await serve(t, (_request, reply) => void reply.end("ok"));
    const transport = transportIn(t, targetOf(server.url, { trust }));
    const { signal } = new AbortController();
    await transport.exchange({ method: "GET", path: "/", signal });
    const { body } = await transport.stream({ method: "GET", path: "/", signal });
    equal(await wholeText(body), "ok");
    await until("nobody listens", () => getEventListeners(signal, "abort").length === 0);
  });
}

test("HTTP/2 calls a request off with CANCEL, which is nobody's fault", async (t) => {
  let code: number | undefined;
  const server = await http2Server(t, own, (_request, { stream }) => {
    stream?.on("close", () => (code = stream.rstCode));
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  await rejects(transport.exchange({ ...write, timeoutSeconds: enough }));
  await until("it is called off", () => code === constants.NGHTTP2_CANCEL);
});

test("a deadline that passes before anything is sent leaves nothing in doubt", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const request = { ...write, timeoutSeconds: 0.1 };
  const unsent = (waitedFor: string) => ({
    name: "ConnectionError",
    sent: false,
    message: `no answer to POST /things in 0.1 s: it waited for ${waitedFor}`,
  });

  const busy = transportIn(t, targetOf(server.url, { trust }), { rate: { perSecond: 0.01, burst: 1 } });
  await busy.exchange(write);
  await rejects(busy.exchange(request), unsent("its turn"));

  const asking = { current: async () => await new Promise<never>(() => undefined), forget: () => false };
  await rejects(
    transportIn(t, targetOf(server.url, { trust, credentials: asking })).exchange(request),
    unsent("credentials"),
  );

  const mute = transportIn(t, targetOf(await muteServer(t), { trust }));
  await rejects(mute.exchange(request), unsent("a connection"));
  await rejects(mute.stream(request), unsent("a connection"));
  equal(server.received.length, 1);
});

test("a second HTTP/1.1 socket that cannot be opened in time leaves nothing in doubt", async (t) => {
  const [, [, serve] = []] = everyKind(own);
  ok(serve);
  const server = await serve(t, () => undefined);
  const wire = await tcpProxyTo(Number(server.url.port));
  t.after(() => wire.close());
  const transport = transportIn(t, targetOf(new URL(`https://127.0.0.1:${wire.port}`), { trust }));
  const off = new AbortController();
  const first = rejects(transport.exchange({ ...write, signal: off.signal }));
  await until("the first is there", () => server.received.length === 1);
  wire.stall();
  await rejects(transport.exchange({ ...write, timeoutSeconds: 0.2 }), { name: "ConnectionError", sent: false });
  off.abort();
  await first;
});

test("the reason for repeating is not lost when the deadline passes", async (t) => {
  const server = await http2Server(t, own, () => undefined);
  await server.stop();
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const message = /^no answer to GET \/ in 1 s: cannot connect to https:\S+: nobody listens there/;
  await rejects(transport.exchange({ method: "GET", path: "/", timeoutSeconds: 1 }), { sent: false, message });
});

/** Takes connections and never says a word. */
async function muteServer(t: TestContext): Promise<URL> {
  const server = createServer((socket) => t.after(() => socket.destroy())).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
