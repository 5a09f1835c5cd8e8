import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import { memoryServer } from "../../../test/fixture/memory-server.ts";
import { rememberedLog } from "../../../test/fixture/remembered-log.ts";
import { anIntent } from "../../../test/provision/intents.ts";
import type { Client } from "../../kube/client.ts";
import { type IntentBook, intentBook } from "./book.ts";

const never = new AbortController().signal;

function bookOn(
  client: Client,
  more: { readonly holdsLease?: () => boolean; readonly restMilliseconds?: number } = {},
) {
  const { log, lines } = rememberedLog();
  const settings = { holdsLease: () => true, restMilliseconds: 60_000, ...more };
  return { book: intentBook({ client, namespace: "drivers", name: "d-intents", log, ...settings }), lines };
}

async function loaded(client: Client): Promise<IntentBook> {
  const { book } = bookOn(client);
  await book.load(never);
  return book;
}

const uidsIn = (book: IntentBook) => [...book.values()].map(({ order }) => order.claim.uid).sort();

test("what is opened is known to whoever comes next, and what is closed is not", async () => {
  const server = memoryServer();
  const first = await loaded(server.client());
  await first.open(anIntent("a"));
  await first.open(anIntent("b"));
  first.close("a");
  await first.stored();
  const next = await loaded(server.client());
  deepEqual(uidsIn(next), ["b"]);
  deepEqual(next.get("b"), anIntent("b"));
});

test("an intent that was loaded can be closed", async () => {
  const server = memoryServer();
  const first = await loaded(server.client());
  await first.open(anIntent("a"));
  const next = await loaded(server.client());
  next.close("a");
  await next.stored();
  deepEqual(uidsIn(await loaded(server.client())), []);
});

test("a hundred at once take two writes, and a close rides along with the next open", async () => {
  const server = memoryServer();
  const book = await loaded(server.client());
  await Promise.all(Array.from({ length: 100 }, (_, n) => book.open(anIntent(`u${n}`))));
  equal(server.writes.length, 2);
  book.close("u1");
  await book.open(anIntent("last"));
  equal(server.writes.length, 3);
  equal(uidsIn(await loaded(server.client())).includes("u1"), false);
});

test("one Lease never holds more than the server takes: the rest goes to the next", async () => {
  const server = memoryServer();
  const book = await loaded(server.client());
  const long = "x".repeat(50_000);
  await Promise.all(["a", "b", "c", "d", "e", "f"].map((uid) => book.open(anIntent(uid, long))));
  const sizes = server.all().map(({ metadata }) => JSON.stringify(metadata.annotations).length);
  ok(sizes.length > 1 && sizes.every((size) => size < 262_144), String(sizes));
  deepEqual(uidsIn(await loaded(server.client())), ["a", "b", "c", "d", "e", "f"]);
});

test("somebody else's words on the Lease stay, and so does a version that nobody here knows", async () => {
  const server = memoryServer();
  const book = await loaded(server.client());
  await book.open(anIntent("a"));
  const strange = JSON.stringify({ v: 2 });
  server.change("d-intents-0", (lease) => ({
    ...lease,
    metadata: {
      ...lease.metadata,
      annotations: { ...lease.metadata.annotations, "intents.portway.dev/z": strange, team: "b" },
    },
  }));
  const { book: next, lines } = bookOn(server.client());
  await next.load(never);
  deepEqual(uidsIn(next), ["a"]);
  equal(lines.filter(({ msg }) => String(msg).includes("left as it is")).length, 1);
  next.close("a");
  await next.stored();
  deepEqual(server.all()[0]?.metadata.annotations, { "intents.portway.dev/z": strange, team: "b" });
});

test("a write that somebody overtook is made again on what is there now", async () => {
  const server = memoryServer();
  const book = await loaded(server.client());
  await book.open(anIntent("a"));
  server.change("d-intents-0", (lease) => ({ ...lease, metadata: { ...lease.metadata, labels: { by: "hand" } } }));
  await book.open(anIntent("b"));
  deepEqual(uidsIn(await loaded(server.client())), ["a", "b"]);
  deepEqual(server.all()[0]?.metadata.labels, { by: "hand" });
});

test("an open whose answer is lost is no open: the driver is not asked, and the next write takes it away", async () => {
  const server = memoryServer();
  let isLost = false;
  const { book } = bookOn(server.client(({ method }) => (isLost && method !== "GET" ? "lost" : undefined)));
  await book.load(never);
  await book.open(anIntent("a"));
  isLost = true;
  await rejects(book.open(anIntent("b")));
  equal(book.get("b"), undefined);
  isLost = false;
  await book.open(anIntent("c"));
  deepEqual(uidsIn(await loaded(server.client())), ["a", "c"]);
});

test("nothing is stored by whoever may have lost the lease", async () => {
  const server = memoryServer();
  const { book } = bookOn(server.client(), { holdsLease: () => false });
  await book.load(never);
  await rejects(book.open(anIntent("a")), { name: "LeaseInDoubt" });
  deepEqual(server.writes, []);
});

test("under a role without Leases the book is in memory alone, and says so once", async () => {
  const server = memoryServer();
  const { book, lines } = bookOn(server.client(() => ({ code: 403, reason: "Forbidden" })));
  await book.load(never);
  await Promise.all(["a", "b"].map((uid) => book.open(anIntent(uid))));
  deepEqual(uidsIn(book), ["a", "b"]);
  book.close("a");
  await book.stored();
  deepEqual(uidsIn(book), ["b"]);
  equal(lines.filter(({ level }) => level === "warn").length, 1);
});

const leasesOf = (server: ReturnType<typeof memoryServer>) => server.all().map(({ metadata }) => metadata.name);

test("what is closed makes room again, whoever opened it", async () => {
  const server = memoryServer();
  const long = "x".repeat(150_000);
  const first = await loaded(server.client());
  await first.open(anIntent("a", long));
  first.close("a");
  await first.open(anIntent("b", long));
  const next = await loaded(server.client());
  next.close("b");
  await next.open(anIntent("c", long));
  deepEqual(leasesOf(server), ["d-intents-0"]);
});

test("what whoever led before has left open takes up room", async () => {
  const server = memoryServer();
  const long = "x".repeat(150_000);
  await (await loaded(server.client())).open(anIntent("a", long));
  await (await loaded(server.client())).open(anIntent("b", long));
  deepEqual(leasesOf(server), ["d-intents-0", "d-intents-1"]);
});
