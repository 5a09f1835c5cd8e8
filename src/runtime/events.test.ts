import { deepEqual, doesNotThrow, equal, match, ok } from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { fakeClock } from "../../test/fixture/fake-clock.ts";
import { type Fate, memoryServer } from "../../test/fixture/memory-server.ts";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import type { Event } from "../api/gen/core.ts";
import type { Exchange } from "../kube/transport/transport.ts";
import { eventsTo, type Telling } from "./events.ts";
import { eventMetrics } from "./metrics/events.ts";
import { metricsRegistry } from "./metrics/registry.ts";

const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "team-a", name: "data", uid: "u1" };
const volume = { apiVersion: "v1", kind: "PersistentVolume", name: "pv-1", uid: "u2" };

const noEvent: Event = { metadata: {}, involvedObject: {} };

function teller() {
  const [server, clock, registry] = [memoryServer(), fakeClock(), metricsRegistry()];
  const luck: { fate: (request: Exchange) => Fate } = { fate: () => undefined };
  const { log, lines } = rememberedLog();
  const client = server.client((request) => luck.fate(request));
  const events = eventsTo({ client, component: "portway-test", log, clock, metrics: eventMetrics(registry) });
  const tell = (more: Partial<Telling> = {}) =>
    events.tell({ about: claim, type: "Normal", reason: "TransferStarted", message: "it goes", ...more });
  const stored = () => server.all() as readonly Event[];
  const counted = (outcome: string) =>
    Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(registry.text())?.[1] ?? Number.NaN);
  return { server, clock, luck, lines, events, tell, stored, counted };
}

test("an event is written beside its object, with everything kubectl describe shows", async () => {
  const { tell, events, stored, clock } = teller();
  tell({ action: "Lock" });
  await events.drained();
  const [{ metadata, ...event } = noEvent] = stored();
  const time = `${clock.wall().toISOString().slice(0, 19)}Z`;
  match(metadata.name ?? "", /^data\.[0-9a-f]{16}$/);
  equal(metadata.namespace, "team-a");
  deepEqual(event, {
    apiVersion: "v1",
    kind: "Event",
    involvedObject: claim,
    type: "Normal",
    reason: "TransferStarted",
    message: "it goes",
    action: "Lock",
    source: { component: "portway-test", host: hostname() },
    reportingComponent: "portway-test",
    reportingInstance: hostname(),
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  });
});

test("an event about an object of the cluster goes to the namespace default", async () => {
  const { tell, events, stored } = teller();
  tell({ about: volume });
  await events.drained();
  equal(stored()[0]?.metadata.namespace, "default");
  deepEqual(stored()[0]?.involvedObject, volume);
});

test("the same told again within ten minutes is counted in the same Event, by a patch", async () => {
  const { tell, events, stored, clock, server, counted } = teller();
  for (let n = 0; n < 3; n++) {
    tell();
    await events.drained();
    await clock.advance(9 * 60_000);
  }
  deepEqual([stored().length, stored()[0]?.count], [1, 3]);
  ok((stored()[0]?.lastTimestamp ?? "") > (stored()[0]?.firstTimestamp ?? ""));
  deepEqual(
    server.writes.map((write) => write.split(" ")[0]),
    ["POST", "PATCH", "PATCH"],
  );
  deepEqual([counted("created"), counted("updated")], [1, 2]);
  await clock.advance(11 * 60_000);
  tell();
  await events.drained();
  deepEqual(
    stored().map(({ count }) => count),
    [3, 1],
    "after that it is a new one",
  );
});

test("another message, reason, type or object is another Event", async () => {
  const { tell, events, stored } = teller();
  tell();
  tell({ message: "other" });
  tell({ reason: "TransferCompleted" });
  tell({ type: "Warning" });
  tell({ about: { ...claim, uid: "u9" } });
  await events.drained();
  equal(stored().length, 5);
});

test("one object may tell 25 at once and one more every five minutes, and the others are not held back", async () => {
  const { tell, events, stored, clock, counted } = teller();
  for (let n = 0; n < 40; n++) tell({ message: `m${n}` });
  tell({ about: volume });
  await events.drained();
  equal(stored().length, 26);
  equal(counted("filtered"), 15);
  await clock.advance(5 * 60_000);
  tell({ message: "later" });
  tell({ message: "later still" });
  await events.drained();
  equal(stored().length, 27);
});

test("what waits and is told again is written once, with the whole count", async () => {
  const { tell, events, stored, server } = teller();
  tell({ message: "first" });
  tell();
  tell();
  tell();
  await events.drained();
  deepEqual(
    stored().map(({ count }) => count),
    [1, 3],
  );
  equal(server.writes.length, 2);
});

test("an Event that has expired is written anew", async () => {
  const { tell, events, stored, server } = teller();
  tell();
  await events.drained();
  server.change(stored()[0]?.metadata.name ?? "", () => undefined);
  tell();
  await events.drained();
  deepEqual(
    stored().map(({ count }) => count),
    [2],
  );
});

test("a failure that may pass is tried again; an answer that was lost is no second Event", async () => {
  const { tell, events, stored, luck, clock, lines } = teller();
  const fates: Fate[] = [{ code: 503, reason: "X" }, "lost", undefined];
  luck.fate = () => fates.shift();
  tell();
  await clock.advance(60_000);
  await events.drained();
  equal(stored().length, 1);
  deepEqual(lines, []);
});

test("without rights it is said once and counted, though others work, and no step hears of it", async () => {
  const { tell, events, luck, lines, counted } = teller();
  luck.fate = ({ path }) => (path.includes("team-a") ? { code: 403, reason: "Forbidden" } : undefined);
  for (let n = 0; n < 5; n++) {
    doesNotThrow(() => tell({ message: `m${n}` }));
    tell({ about: volume, message: `m${n}` });
  }
  await events.drained();
  equal(lines.length, 1);
  match(JSON.stringify(lines[0]), /create events.*Forbidden/);
  deepEqual([counted("failed"), counted("created")], [5, 5]);
});

test("a server that does not answer holds nothing up but events, and they do not pile up", async () => {
  const { tell, luck, lines, counted } = teller();
  luck.fate = () => "never answered";
  for (let n = 0; n < 1200; n++) tell({ about: { ...claim, uid: `u${n}` } });
  equal(counted("dropped"), 199);
  equal(lines.length, 1);
  match(String(lines[0]?.["msg"]), /dropped/);
});

test("names that cannot be part of an Event's name, and long texts, are made to fit", async () => {
  const { tell, events, stored } = teller();
  tell({ about: { ...volume, name: "system:odd" } });
  tell({ about: { ...claim, name: `${"x".repeat(235)}-${"y".repeat(17)}` }, message: "ü".repeat(2000) });
  await events.drained();
  match(stored()[0]?.metadata.name ?? "", /^persistentvolume\.[0-9a-f]{16}$/);
  const [, long] = stored();
  match(long?.metadata.name ?? "", /^x{235}\.[0-9a-f]{16}$/);
  ok(Buffer.byteLength(long?.message ?? "") <= 1024);
  match(long?.message ?? "", /^ü+…$/);
});

test("no secret passes in a message", async () => {
  const { tell, events, stored } = teller();
  tell({ message: "refused: Authorization: Bearer c4nary-9f8e7d6c" });
  await events.drained();
  equal(JSON.stringify(stored()).includes("c4nary"), false);
});
