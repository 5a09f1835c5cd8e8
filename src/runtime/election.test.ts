import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import {
  contender,
  holder,
  key,
  never,
  passed,
  specIn,
  strangersLease,
  world,
} from "../../test/fixture/lease-world.ts";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { electOn } from "./election.ts";

test("without a Lease it is created, and ours at once", async () => {
  const { server, clock } = world();
  const { election } = await holder({ server, clock });
  ok(election.holdsWithMargin());
  const time = clock.wall().toISOString().replace("Z", "000Z");
  deepEqual(specIn(server), {
    holderIdentity: "me",
    leaseDurationSeconds: 15,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: 0,
  });
});

for (const [says, renewTime] of [
  ["long past", "2001-01-01T00:00:00.000000Z"],
  ["in the future", "2099-01-01T00:00:00.000000Z"],
] as const) {
  test(`a stranger has its whole term from when we first saw it, though its date is ${says}`, async () => {
    const { server, clock } = world();
    await strangersLease(server, renewTime);
    const { election, acquired, acquire } = contender({ server, clock });
    void acquire();
    await passed(clock, 14.9);
    ok(!acquired.yes && !election.holdsWithMargin());
    await passed(clock, 3);
    ok(acquired.yes && election.holdsWithMargin());
    deepEqual([specIn(server).holderIdentity, specIn(server).leaseTransitions], ["me", 4]);
  });
}

test("the term of a holder with other flags counts, not ours", async () => {
  const { server, clock } = world();
  await strangersLease(server, "2001-01-01T00:00:00.000000Z", { leaseDurationSeconds: 60 });
  const { acquired, acquire } = contender({ server, clock });
  void acquire();
  await passed(clock, 55);
  equal(acquired.yes, false);
  await passed(clock, 10);
  equal(acquired.yes, true);
});

test("a stranger that renews is never displaced, and an annotation is no renewal", async () => {
  const { server, clock } = world();
  await strangersLease(server, "2001-01-01T00:00:00.000000Z");
  const { acquired, acquire } = contender({ server, clock });
  void acquire();
  for (let n = 0; n < 10; n++) {
    await passed(clock, 5);
    server.change(key.name, (lease) => ({
      ...lease,
      spec: { ...specIn(server), renewTime: `2001-01-01T00:00:0${n}.000000Z` },
    }));
  }
  equal(acquired.yes, false);
  for (let n = 0; n < 4; n++) {
    await passed(clock, 5);
    server.change(key.name, (lease) => ({ ...lease, metadata: { ...lease.metadata, annotations: { n: String(n) } } }));
  }
  equal(acquired.yes, true);
});

test("who finds itself in the Lease goes on at once, in the same term", async () => {
  const { server, clock } = world();
  await strangersLease(server, "2001-01-01T00:00:00.000000Z", {
    holderIdentity: "me",
    acquireTime: "2000-01-01T00:00:00.000000Z",
  });
  const { election } = await holder({ server, clock });
  ok(election.holdsWithMargin());
  deepEqual([specIn(server).leaseTransitions, specIn(server).acquireTime], [3, "2000-01-01T00:00:00.000000Z"]);
});

test("it renews every two seconds, by update only", async () => {
  const { server, clock } = world();
  await holder({ server, clock });
  await passed(clock, 20);
  deepEqual(server.writes, ["POST portway-test", ...Array.from({ length: 10 }, () => "PUT portway-test")]);
});

test("not renewed for ten seconds, it is lost: said once, and never held again", async () => {
  const { server, clock } = world();
  const { election, lost, luck } = await holder({ server, clock });
  luck.fate = () => ({ code: 503, reason: "ServiceUnavailable" });
  await passed(clock, 9.9);
  ok(election.holdsWithMargin());
  deepEqual(lost, []);
  await passed(clock, 0.1);
  equal(election.holdsWithMargin(), false);
  luck.fate = () => undefined;
  await passed(clock, 60);
  deepEqual(lost, ["it could not be renewed for 10 s"]);
  equal(election.holdsWithMargin(), false);
  match(election.trouble() ?? "", /lost/);
  equal(server.writes.length, 1);
});

test("a server that never answers costs the lease just the same", async () => {
  const { server, clock } = world();
  const { election, lost, luck } = await holder({ server, clock });
  luck.fate = () => "never answered";
  await passed(clock, 10);
  equal(election.holdsWithMargin(), false);
  equal(lost.length, 1);
});

test("a slow answer does not stretch the term: it counts from when it was asked", async () => {
  const { server, clock } = world();
  const { log } = rememberedLog();
  const luck = { seconds: 0 };
  const client = server.client(undefined, () => clock.sleep(luck.seconds * 1000));
  const election = electOn({ client, ...key, identity: "me", clock, log, onLost: () => undefined });
  const acquiring = election.acquired(never);
  await clock.settle();
  await passed(clock, 0);
  await acquiring;
  luck.seconds = 7;
  await passed(clock, 9.5); // sent after 2 s, answered after 9 s
  luck.seconds = 100;
  ok(election.holdsWithMargin());
  await passed(clock, 2.4);
  ok(election.holdsWithMargin());
  await passed(clock, 0.2);
  equal(election.holdsWithMargin(), false);
});

test("a process that was stopped hears the truth before anything runs, and writes nothing after waking", async () => {
  const { server, clock } = world();
  const { election, lost } = await holder({ server, clock });
  await passed(clock, 5);
  const before = [...server.writes];
  clock.jump(60_000);
  equal(election.holdsWithMargin(), false);
  await passed(clock, 60);
  equal(lost.length, 1);
  deepEqual(server.writes, before);
});

test("a renewal that was stored without an answer is recognised as our own", async () => {
  const { server, clock } = world();
  const { election, lost, luck } = await holder({ server, clock });
  luck.fate = ({ method }) => (method === "PUT" ? "lost" : undefined);
  await passed(clock, 4);
  luck.fate = () => undefined;
  await passed(clock, 20);
  ok(election.holdsWithMargin());
  deepEqual(lost, []);
});

test("somebody else in the Lease, or a namesake, is a loss at once", async () => {
  for (const [holderIdentity, says] of [
    ["stranger", /held by stranger/],
    ["me", /another process called me/],
    ["", /emptied/],
  ] as const) {
    const { server, clock } = world();
    const { election, lost } = await holder({ server, clock });
    const spec = { ...specIn(server), holderIdentity, renewTime: "2027-01-01T00:00:00.000000Z" };
    server.change(key.name, (lease) => ({ ...lease, spec }));
    await passed(clock, 2);
    equal(election.holdsWithMargin(), false);
    match(lost[0] ?? "", says);
    deepEqual(specIn(server), spec, "it is not taken back");
  }
});

test("an annotation in between, or a Lease that was deleted, does not end the term", async () => {
  const { server, clock } = world();
  const { election, lost } = await holder({ server, clock });
  server.change(key.name, (lease) => ({ ...lease, metadata: { ...lease.metadata, annotations: { a: "b" } } }));
  await passed(clock, 11);
  ok(election.holdsWithMargin());
  server.change(key.name, () => undefined);
  await passed(clock, 11);
  ok(election.holdsWithMargin());
  equal(specIn(server).holderIdentity, "me");
  deepEqual(lost, []);
});
