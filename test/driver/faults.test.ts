import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Code } from "../../src/rpc/errors.ts";
import { troubles } from "../../src/rpc/errors.ts";
import { csiInventory } from "./csi-inventory.ts";
import { aVolume, type CsiWorld, csiWorld, noFrom } from "./place.ts";
import type { Fault, ScriptLine } from "./script.ts";

/** How many volumes the driver has, whatever it said. */
function volumesOf({ place }: CsiWorld): number {
  return Object.keys(csiInventory(place.state).read().volumes).length;
}

async function worldWith(t: TestContext, line: Omit<ScriptLine, "method">): Promise<CsiWorld> {
  const world = await csiWorld(t);
  world.place.play([{ method: "CreateVolume", ...line }]);
  return world;
}

for (const code of Object.keys(troubles) as Code[]) {
  test(`${code} before the act leaves nothing, after the act it is a lie, and the repeated call finds the truth`, async (t) => {
    const world = await worldWith(t, { nth: 1, when: "before", fault: { code, message: "so it is written" } });
    const no = await noFrom(world.controller.createVolume(aVolume("a")));
    deepEqual([no.code, no.details, no.trouble], [code, "so it is written", troubles[code].create]);
    equal(volumesOf(world), 0);

    world.place.play([{ method: "CreateVolume", nth: 2, when: "after", fault: { code } }]);
    equal((await noFrom(world.controller.createVolume(aVolume("a")))).code, code);
    equal(volumesOf(world), 1);
    equal((await world.controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-1");
    equal(volumesOf(world), 1);
  });
}

const silent: readonly (readonly [says: string, fault: Fault, code: Code])[] = [
  ["a connection that is cut", "lost-reply", "UNAVAILABLE"],
  ["a driver that hangs", "hang", "DEADLINE_EXCEEDED"],
  ["a driver that is slower than the deadline", "slow", "DEADLINE_EXCEEDED"],
];

for (const [says, fault, code] of silent) {
  test(`${says} after the act leaves the call in doubt, and repeating it is right`, async (t) => {
    const world = await worldWith(t, { nth: 1, when: "after", fault, milliseconds: 1500 });
    const no = await noFrom(world.controller.createVolume(aVolume("a"), { timeoutSeconds: 0.7 }));
    deepEqual([no.code, no.trouble], [code, "in-doubt"]);
    equal(volumesOf(world), 1);
    equal((await world.controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-1");
    deepEqual(csiInventory(world.place.state).read().misuse, []);
  });
}

test("a connection that is cut before the act, and a driver that hangs before it, leave nothing", async (t) => {
  for (const fault of ["lost-reply", "hang"] as const) {
    const world = await worldWith(t, { when: "before", fault });
    equal((await noFrom(world.controller.createVolume(aVolume("a"), { timeoutSeconds: 0.5 }))).trouble, "in-doubt");
    equal(volumesOf(world), 0);
  }
});

test("a driver that is slow, and in time, is only slow", async (t) => {
  const world = await worldWith(t, { when: "before", fault: "slow", milliseconds: 20 });
  equal((await world.controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-1");
});

test("wrong answers: another id on the second try, an empty id, a smaller volume, a huge id, no source", async (t) => {
  const world = await worldWith(t, { nth: 2, when: "after", fault: { answer: "other-id" } });
  const { controller, place } = world;
  const idOf = async () => (await controller.createVolume(aVolume("a"))).volume?.volumeId;
  deepEqual([await idOf(), await idOf(), await idOf()], ["vol-1", "vol-1-other", "vol-1"]);

  const answers = async (
    answer: "empty-id" | "smaller" | "huge" | "no-source",
    request: Parameters<typeof controller.createVolume>[0] = aVolume("a"),
  ) => {
    place.play([{ method: "CreateVolume", when: "after", fault: { answer } }]);
    return (await controller.createVolume(request)).volume;
  };
  equal((await answers("empty-id"))?.volumeId, "");
  equal((await answers("smaller"))?.capacityBytes, 1n << 29n);
  ok(((await answers("huge"))?.volumeId.length ?? 0) > 4 * 1024 ** 2, "more than gRPC takes by default arrives whole");
  const volumeContentSource = { type: { case: "volume", value: { volumeId: "vol-1" } } } as const;
  equal((await answers("no-source", { ...aVolume("clone"), volumeContentSource }))?.contentSource, undefined);
  place.play([]);
  const honest = await controller.createVolume({ ...aVolume("clone"), volumeContentSource });
  equal(honest.volume?.contentSource?.type.case, "volume");
});

test("an answer of garbage is in doubt, because the driver says that it worked", async (t) => {
  const world = await worldWith(t, { when: "after", fault: { answer: "garbage" } });
  const no = await noFrom(world.controller.createVolume(aVolume("a")));
  deepEqual([no.code, no.trouble], ["DATA_LOSS", "in-doubt"]);
  match(no.message, /answer cannot be read/);
});

test("a fault can wait for one name", async (t) => {
  const world = await worldWith(t, { of: "b", when: "before", fault: { code: "RESOURCE_EXHAUSTED" } });
  equal((await world.controller.createVolume(aVolume("a"))).volume?.volumeId, "vol-1");
  equal((await noFrom(world.controller.createVolume(aVolume("b")))).code, "RESOURCE_EXHAUSTED");
});

test("every call is in the log, in order, with what was replied and without its secrets", async (t) => {
  const world = await worldWith(t, { nth: 2, when: "after", fault: "lost-reply" });
  const request = { ...aVolume("a"), secrets: { password: "s3cret" } };
  await world.controller.createVolume(request);
  await noFrom(world.controller.createVolume(request));
  await world.controller.deleteVolume({ volumeId: "vol-1", secrets: { password: "s3cret" } });
  await noFrom(world.controller.deleteVolume({ volumeId: "" }));
  const calls = world.place.calls();
  deepEqual(
    calls.map(({ n, method, of, reply }) => [n, method, of, reply]),
    [
      [1, "CreateVolume", "a", "OK"],
      [2, "CreateVolume", "a", "lost-reply"],
      [3, "DeleteVolume", "vol-1", "OK"],
      [4, "DeleteVolume", "", "INVALID_ARGUMENT"],
    ],
  );
  const text = JSON.stringify(calls);
  ok(text.includes("***stripped***") && !text.includes("s3cret"));
});
