import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { memoryServer } from "../../../test/fixture/memory-server.ts";
import { until } from "../../../test/fixture/portway.ts";
import { rememberedLog } from "../../../test/fixture/remembered-log.ts";
import { anIntent } from "../../../test/provision/intents.ts";
import type { Client } from "../../kube/client.ts";
import { intentBook } from "./book.ts";

function bookOn(client: Client, restMilliseconds: number) {
  const { log } = rememberedLog();
  return intentBook({ client, namespace: "drivers", name: "d", holdsLease: () => true, log, restMilliseconds });
}

const marksOn = (server: ReturnType<typeof memoryServer>) =>
  server.all().flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));

test("who waits until a closed intent is forgotten does not wait for the next write, and others cost nothing", async () => {
  const server = memoryServer();
  const book = bookOn(server.client(), 60_000);
  await book.open(anIntent("a"));
  await book.open(anIntent("b"));
  book.close("a");
  const before = server.writes.length;
  await book.forgotten("b");
  await book.forgotten("never opened");
  equal(server.writes.length, before);
  await book.forgotten("a");
  deepEqual(marksOn(server), ["intents.portway.dev/b"]);
  equal(server.writes.length, before + 1);
});

test("an intent that is opened again is not waited for", async () => {
  const server = memoryServer();
  const book = bookOn(server.client(), 60_000);
  await book.open(anIntent("a"));
  book.close("a");
  await book.open(anIntent("a"));
  await book.forgotten("a");
  deepEqual(marksOn(server), ["intents.portway.dev/a"]);
});

test("an open that was stored unheard is taken away, though nothing else is ever written", async () => {
  const server = memoryServer();
  let isLost = true;
  const book = bookOn(
    server.client(({ method }) => (isLost && method !== "GET" ? "lost" : undefined)),
    1,
  );
  await rejects(book.open(anIntent("a")));
  deepEqual(marksOn(server), ["intents.portway.dev/a"]);
  isLost = false;
  await until("it is taken away", () => marksOn(server).length === 0);
});
