import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import { contender, holder, key, never, passed, specIn, world } from "../../test/fixture/lease-world.ts";
import { alwaysLeader } from "./election.ts";

test("released, it is nobody's, and the next one need not wait", async () => {
  const { server, clock } = world();
  const first = await holder({ server, clock }, "first");
  const second = contender({ server, clock }, "second");
  void second.acquire();
  await passed(clock, 30);
  equal(second.acquired.yes, false);
  const releasing = first.election.release();
  equal(first.election.holdsWithMargin(), false, "from the moment it is asked to");
  await releasing;
  deepEqual([specIn(server).holderIdentity, specIn(server).leaseDurationSeconds], ["", 1]);
  await passed(clock, 3);
  equal(second.acquired.yes, true);
  equal(specIn(server).leaseTransitions, 1);
  deepEqual(first.lost, [], "given back is not lost");
  const writes = server.writes.length;
  await first.election.release();
  equal(server.writes.length, writes);
});

test("what is not ours any more is not given back, and a failure to do so is only said", async () => {
  const { server, clock } = world();
  const { election, lines } = await holder({ server, clock });
  const spec = { ...specIn(server), holderIdentity: "stranger" };
  server.change(key.name, (lease) => ({ ...lease, spec }));
  await election.release();
  deepEqual(specIn(server), spec);
  equal(
    lines.some(({ level }) => level === "error"),
    false,
  );

  const other = await holder(world());
  other.luck.fate = () => ({ code: 500, reason: "InternalError" });
  await other.election.release();
  match(JSON.stringify(other.lines.at(-1)), /could not be given back/);
});

test("a lease that was won without hearing of it is given back too", async () => {
  const { server, clock } = world();
  const { election, luck } = contender({ server, clock });
  luck.fate = ({ method }) => (method === "POST" ? "lost" : undefined);
  const off = new AbortController();
  const acquiring = rejects(election.acquired(off.signal), /enough/);
  await clock.settle();
  off.abort(new Error("enough"));
  await acquiring;
  equal(specIn(server).holderIdentity, "me");
  await election.release();
  equal(specIn(server).holderIdentity, "");
});

test("without rights it says so once and goes on trying", async () => {
  const { server, clock } = world();
  const { luck, lines, acquire, acquired } = contender({ server, clock });
  luck.fate = () => ({ code: 403, reason: "Forbidden" });
  void acquire();
  await passed(clock, 30);
  equal(lines.filter(({ level }) => level === "error").length, 1);
  luck.fate = () => undefined;
  await passed(clock, 3);
  equal(acquired.yes, true);
});

test("who needs no election always holds, until it stops", async () => {
  const election = alwaysLeader();
  await election.acquired(never);
  ok(election.holdsWithMargin());
  equal(election.trouble(), undefined);
  await rejects(election.acquired(AbortSignal.abort(new Error("enough"))), /enough/);
  await election.release();
  equal(election.holdsWithMargin(), false);
});
