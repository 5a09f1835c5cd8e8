import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { constants } from "node:http2";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { until } from "../../../test/fixture/portway.ts";
import {
  everyKind,
  expectNothingLeft,
  http2Server,
  type Reply,
  targetOf,
  transportIn,
} from "../../../test/fixture/transport.ts";

expectNothingLeft();
const { certificate, key } = testCertificate();
const own = { cert: certificate, key };
const trust = { ca: certificate };
const read = { method: "GET", path: "/" } as const;
const write = { method: "POST", path: "/", body: Buffer.from("once") } as const;

test("a refused stream is sent again, a write too, because the server has not looked at it", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => {
    if (server.received.length % 2 === 1) reply.stream?.close(constants.NGHTTP2_REFUSED_STREAM);
    else reply.end("ok");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  equal((await transport.exchange(read)).text, "ok");
  equal((await transport.exchange(write)).text, "ok");
  equal(server.received.length, 4);
  equal(server.sockets.length, 1);
});

test("a server that refuses again and again takes it in the end: refusals are no failures of the server", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => {
    if (server.received.length < 10) reply.stream?.close(constants.NGHTTP2_REFUSED_STREAM);
    else reply.end("ok");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  equal((await transport.exchange(write)).text, "ok");
  equal(server.received.length, 10);
});

for (const name of ["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "CANCEL", "ENHANCE_YOUR_CALM"] as const) {
  test(`after a reset with ${name} a read is sent again, and a write is in doubt`, async (t) => {
    const server = await http2Server(t, own, (_request, reply) => {
      if (server.received.length <= 2) reply.stream?.close(constants[`NGHTTP2_${name}`]);
      else reply.end("ok");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    await rejects(transport.exchange(write), { name: "ConnectionError", sent: true });
    equal(server.received.length, 1);
    equal((await transport.exchange(read)).text, "ok");
    equal(server.received.length, 3);
  });
}

for (const [kind, serve] of everyKind(own)) {
  test(`${kind}: half an answer is none: a read is sent again, and a write is in doubt`, async (t) => {
    const server = await serve(t, (_request, reply) => {
      if (server.received.length > 2) reply.end("whole");
      else reply.write("half", () => setTimeout(() => server.cut(), 20));
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    await rejects(transport.exchange(write), { name: "ConnectionError", sent: true });
    equal(server.received.length, 1);
    equal((await transport.exchange(read)).text, "whole");
    equal(server.received.length, 3);
  });

  test(`${kind}: a server that dies before it answers leaves a write in doubt`, async (t) => {
    const server = await serve(t, () => server.cut());
    const transport = transportIn(t, targetOf(server.url, { trust }));
    await rejects(transport.exchange(write), { name: "ConnectionError", sent: true });
    equal(server.received.length, 1);
  });

  test(`${kind}: 429 says that nothing was done: it is sent again, a write too`, async (t) => {
    const server = await serve(t, (_request, reply) => {
      if (server.received.length === 1) answerWith(reply, 429);
      else reply.end("ok");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    equal((await transport.exchange(write)).text, "ok");
    deepEqual(
      server.received.map(({ body }) => body),
      ["once", "once"],
    );
  });

  test(`${kind}: 503 is sent again for a read; for a write it is the answer`, async (t) => {
    const server = await serve(t, (_request, reply) => {
      if (server.received.length <= 2) answerWith(reply, 503);
      else reply.end("ok");
    });
    const transport = transportIn(t, targetOf(server.url, { trust }));
    equal((await transport.exchange(write)).status, 503);
    equal(server.received.length, 1);
    equal((await transport.exchange(read)).status, 200);
    equal(server.received.length, 3);
  });
}

test("whoever is told to come back in a second does not come sooner", async (t) => {
  const times: number[] = [];
  const server = await http2Server(t, own, (_request, reply) => {
    times.push(performance.now());
    if (times.length === 1) answerWith(reply, 429, "1");
    else reply.end("ok");
  });
  await transportIn(t, targetOf(server.url, { trust })).exchange(write);
  const [first = 0, second = 0] = times;
  ok(second - first >= 990);
});

test("nor does whoever comes with the same write meanwhile; a read does", async (t) => {
  const times: number[] = [];
  const server = await http2Server(t, own, (request, reply) => {
    if (request.method === "GET") return void reply.end("ok");
    times.push(performance.now());
    if (times.length === 1) answerWith(reply, 429, "1");
    else reply.end("ok");
  });
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const told = transport.exchange(write);
  await until("it was told", () => times.length === 1);
  // The answer is on its way; a read that comes back after it shows that it has arrived.
  equal((await transport.exchange(read)).text, "ok");
  await Promise.all([told, transport.exchange(write)]);
  const [first = 0, ...later] = times;
  ok(later.length === 2 && later.every((time) => time - first >= 990));
});

test("a server that is always busy is asked six times, and then its answer is given", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => answerWith(reply, 429, "0.01"));
  const transport = transportIn(t, targetOf(server.url, { trust }));
  equal((await transport.exchange(write)).status, 429);
  equal(server.received.length, 6);
});

test("a busy server that asks for more time than there is gives its answer at once", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => answerWith(reply, 429, "3600"));
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const answer = await transport.exchange(write);
  equal(answer.status, 429);
  equal(answer.headers["retry-after"], "3600");
});

test("a request that cannot be written is a bug that says so, and is not sent again", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => void reply.end());
  const transport = transportIn(t, targetOf(server.url, { trust }));
  const asked = transport.exchange({ ...read, headers: { "two words": "1" } });
  await rejects(asked, { code: "ERR_INVALID_HTTP_TOKEN" });
  equal(server.received.length, 0);
});

test("metrics hear of every answer, also of those that are not the last", async (t) => {
  const server = await http2Server(t, own, (_request, reply) => {
    answerWith(reply, server.received.length === 1 ? 503 : 200);
  });
  const heard: string[] = [];
  const onAnswer = ({ method, status }: { method: string; status: number }) => heard.push(`${method} ${status}`);
  await transportIn(t, targetOf(server.url, { trust }), { onAnswer }).exchange(read);
  deepEqual(heard, ["GET 503", "GET 200"]);
});

function answerWith(reply: Reply, status: number, retryAfter?: string): void {
  reply.statusCode = status;
  if (retryAfter !== undefined) reply.setHeader("retry-after", retryAfter);
  reply.end();
}
