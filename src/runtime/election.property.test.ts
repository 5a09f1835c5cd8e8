import { ok } from "node:assert/strict";
import { test } from "node:test";
import { array, assert, asyncProperty, constant, integer, oneof, record } from "fast-check";
import { type FakeClock, fakeClock } from "../../test/fixture/fake-clock.ts";
import { type Fate, type MemoryServer, memoryServer } from "../../test/fixture/memory-server.ts";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import type { WaitingClock } from "./clock.ts";
import { type Election, electOn } from "./election.ts";

interface Contender {
  readonly identity: string;
  readonly election: Election;
  /** Like SIGSTOP: nothing of it runs until it is woken, while time passes. */
  stop(): void;
  wake(): void;
  bad: Fate;
  end(): Promise<void>;
}

function contender(server: MemoryServer, clock: FakeClock, identity: string): Contender {
  let gate = Promise.withResolvers<void>();
  let isStopped = false;
  const wake = () => {
    isStopped = false;
    gate.resolve();
  };
  wake();
  const off = new AbortController();
  const mine: WaitingClock = {
    now: () => clock.now(),
    wall: () => clock.wall(),
    async sleep(milliseconds, signal) {
      await clock.sleep(milliseconds, signal);
      await gate.promise;
    },
  };
  const client = server.client(
    async () => {
      await gate.promise;
      return contender.bad;
    },
    async () => await gate.promise,
  );
  const { log } = rememberedLog();
  const election = electOn({ client, namespace: "n", name: "l", identity, clock: mine, log, onLost: () => undefined });
  const acquiring = election.acquired(off.signal).catch(() => undefined);
  const contender: Contender = {
    identity,
    election,
    stop() {
      if (!isStopped) gate = Promise.withResolvers();
      isStopped = true;
    },
    wake,
    bad: undefined,
    async end() {
      wake();
      off.abort(new Error("the test is over"));
      await acquiring;
    },
  };
  return contender;
}

const who = integer({ min: 0, max: 2 });
const act = oneof(
  record({ does: constant("pass" as const), milliseconds: integer({ min: 1, max: 9000 }) }),
  record({ does: constant("pass" as const), milliseconds: integer({ min: 1, max: 9000 }) }),
  record({ does: constant("stop" as const), who }),
  record({ does: constant("wake" as const), who }),
  record({ does: constant("break" as const), who }),
  record({ does: constant("lose" as const), who }),
  record({ does: constant("repair" as const), who }),
  record({ does: constant("release" as const), who }),
  record({ does: constant("restart" as const), who }),
);

test("whoever is stopped, cut off or released, two never hold it at the same time", async () => {
  let heldAtAll = 0;
  await assert(
    asyncProperty(array(act, { minLength: 20, maxLength: 60 }), async (acts) => {
      const [server, clock] = [memoryServer(), fakeClock()];
      const contenders = ["a", "b", "c"].map((identity) => contender(server, clock, identity));
      const check = () => {
        const holders = contenders.filter(({ election }) => election.holdsWithMargin()).length;
        ok(holders <= 1, `${holders} hold it`);
        heldAtAll += holders;
      };
      const doing = {
        stop: (c: Contender) => c.stop(),
        wake: (c: Contender) => c.wake(),
        break: (c: Contender) => void (c.bad = { code: 503, reason: "ServiceUnavailable" }),
        lose: (c: Contender) => void (c.bad = "lost"),
        repair: (c: Contender) => void (c.bad = undefined),
        release: (c: Contender) => void c.election.release(),
        // Killed is stopped for good; the new process has the same name.
        restart(c: Contender) {
          c.stop();
          contenders.splice(contenders.indexOf(c), 1, contender(server, clock, c.identity));
        },
      };
      for (const next of acts) {
        if (next.does === "pass") {
          for (let left = next.milliseconds; left > 0; left -= 500) {
            await clock.advance(Math.min(500, left));
            check();
          }
        } else {
          const contender = contenders[next.who];
          if (contender !== undefined) doing[next.does](contender);
          await clock.settle();
          check();
        }
      }
      await Promise.all(contenders.map((c) => c.end()));
    }),
    { numRuns: 120 },
  );
  ok(heldAtAll > 2000, "and somebody holds it most of the time");
});
