import { deepEqual, equal, ok } from "node:assert/strict";
import { after, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { configMaps } from "../../src/api/gen/core.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { electOn } from "../../src/runtime/election.ts";
import { adminClient, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { rememberedLog } from "../fixture/remembered-log.ts";
import { tinyController } from "./tiny.ts";

const client = await adminClient(await laneCluster());
after(() => client.close());

for (const broken of ["observe", "decide", "act"] as const) {
  test(`a feature that throws in ${broken} stops nobody else, is named once, and recovers`, async (t) => {
    const namespace = await newNamespace(t, client);
    let [isBroken, throws] = [true, 0];
    const tiny = await tinyController(t, {
      client,
      namespace,
      meet(place, name) {
        if (!isBroken || place !== broken || name !== "bad") return;
        throws++;
        throw new TypeError("this cannot be");
      },
    });
    for (const name of ["bad", "good"]) await tiny.add(name);
    tiny.start();
    await tiny.untilMarked("good");
    await until("it was tried several times", () => throws >= 3);
    equal(tiny.said("this cannot be").length, 1);
    isBroken = false;
    await tiny.untilMarked("bad");
  });
}

test("an object that nobody can make sense of keeps none of the others from being looked at", async (t) => {
  const namespace = await newNamespace(t, client);
  let isBroken = true;
  const tiny = await tinyController(t, {
    client,
    namespace,
    meet(place, name) {
      if (isBroken && place === "keys" && name === "a-bad-one") throw new TypeError("this cannot be");
    },
  });
  for (const name of ["a-bad-one", "before"]) await tiny.add(name);
  tiny.start();
  await tiny.add("after");
  await tiny.untilMarked("before", "after");
  await client.merge(configMaps, { namespace, name: "a-bad-one" }, { data: { more: "1" } });
  await tiny.add("last");
  await tiny.untilMarked("last");
  equal(tiny.said("this cannot be").length, 1);
  isBroken = false;
  await client.merge(configMaps, { namespace, name: "a-bad-one" }, { data: { more: "2" } });
  await tiny.untilMarked("a-bad-one");
});

test("steps that hang are named once each, lend their workers, and recover", async (t) => {
  const namespace = await newNamespace(t, client);
  const { promise: never, resolve: atLast } = Promise.withResolvers<void>();
  const hanging = ["one", "two", "three"];
  const tiny = await tinyController(t, {
    client,
    namespace,
    longestTurnSeconds: 1,
    meet: async (place, name) => await (place === "act" && hanging.includes(name) ? never : undefined),
  });
  tiny.start();
  for (const name of hanging) await tiny.add(name);
  await until("all of them take too long", () => tiny.said("takes longer than 1 s").length === hanging.length);
  await tiny.add("other");
  await tiny.untilMarked("other");
  atLast();
  // The requests of those turns were given up; the keys are looked at again.
  await tiny.untilMarked(...hanging);
  equal(tiny.said("").length, hanging.length);
});

test("when the date jumps, work goes on, the Lease is kept, and it is said once a jump", async (t) => {
  const namespace = await newNamespace(t, client);
  let offset = 0;
  const clock = { ...systemClock, wall: () => new Date(Date.now() + offset) };
  const tiny = await tinyController(t, { client, namespace, clock });
  tiny.start();
  const lost: string[] = [];
  const durations = { leaseSeconds: 8, renewSeconds: 6, retrySeconds: 0.2 };
  const { log } = rememberedLog();
  const onLost = (why: string) => void lost.push(why);
  const election = electOn({ client, namespace, name: "one", identity: "me", durations, clock, log, onLost });
  await election.acquired(new AbortController().signal);
  t.after(() => election.release());
  const day = 24 * 3600 * 1000;
  const renewTime = async () => (await client.get(leases, { namespace, name: "one" })).spec?.renewTime;
  for (const [name, jump] of Object.entries({ still: 0, tomorrow: day, yesterday: -day })) {
    offset = jump;
    const before = await renewTime();
    await tiny.add(name);
    await tiny.untilMarked(name);
    await until("it is renewed", async () => (await renewTime()) !== before);
    ok(election.holdsWithMargin());
  }
  deepEqual([lost, tiny.said("the date has jumped").length], [[], 2]);
});
