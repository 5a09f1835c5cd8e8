import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { deletedMeanwhile } from "../provision/flows/flows.ts";
import { handOverADeed } from "../sample/flow.ts";
import { givenBack, handOver } from "../transfer/flows/flows.ts";
import { type Chance, chanceFrom } from "./chance.ts";
import { brokenIn, globalRules } from "./order.ts";
import { placeOf } from "./sweep/case.ts";
import type { Flow, Stage } from "./sweep/flow.ts";
import { appliedCounts, referenceRun } from "./sweep/run-case.ts";
import { stageFor } from "./sweep/stage.ts";

/** To have one run again: PORTWAY_SEED=… */
const seed = Number(process.env["PORTWAY_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

interface Measure {
  readonly kills: number;
  readonly worlds: number;
}

survivesKills(handOverADeed, { kills: 50, worlds: 20 });
survivesKills(handOver, { kills: 20, worlds: 8 });
survivesKills(givenBack, { kills: 20, worlds: 8 });
survivesKills(deletedMeanwhile, { kills: 20, worlds: 8 });

/** At any moment, or in the middle of some write of the next ones: most moments of a life are its beginning. */
async function killOnce({ proxy, subject }: Stage, chance: Chance): Promise<void> {
  const milliseconds = chance.between(50, 1000);
  if (chance.isHeads()) {
    await sleep(milliseconds);
    return await subject.killed();
  }
  const kind = chance.isHeads() ? "kill-before" : "kill-after";
  const armed = proxy.arm({ site: { n: chance.between(1, 8) }, fault: { kind }, kill: () => subject.killed() });
  await Promise.race([armed.whenFired, sleep(milliseconds + 1000)]);
  armed.disarm();
  await (armed.fired() ? armed.whenFired : subject.killed());
}

/** By the words of the world, as the sweep tells one run from another. */
function writesOf(world: unknown, { proxy }: Stage) {
  const words = new Set<unknown>(Object.values(world as object));
  return proxy.log().filter((write) => !write.upkeep && words.has(placeOf(write)));
}

function survivesKills<World>(flow: Flow<World>, { kills, worlds: count }: Measure): void {
  test(`${flow.name}: killed ${kills} times on ${count} ways through, it ends as it should (seed ${seed})`, async () => {
    const chance = chanceFrom(seed);
    await using stage = await stageFor(flow, await laneCluster());
    const { picture, writes } = await referenceRun(flow, stage);
    const worlds: World[] = [];
    for (let kill = 0; kill < kills; kill++) {
      while (worlds.length < count && worlds.length <= (kill * count) / kills) worlds.push(await flow.begin(stage));
      await killOnce(stage, chance);
    }
    await until("every one has settled", async () => {
      const settled = await Promise.all(worlds.map((world) => flow.isSettled(world, stage)));
      return settled.every(Boolean);
    });
    await stage.proxy.quiet(250);
    await stage.monitor.caughtUp();
    equal(stage.subject.crashes, 0, stage.subject.lastWords());
    const broken = [
      ...stage.monitor.violations(),
      ...worlds.flatMap((world) => brokenIn(writesOf(world, stage), [...flow.orderRules, ...globalRules(stage.proxy)])),
    ];
    deepEqual(
      broken.map(({ rule, why }) => `${rule.id}: ${why}`),
      [],
    );
    const ends = await Promise.all(worlds.map((world) => flow.picture(world, stage)));
    deepEqual(ends, Array<unknown>(count).fill(picture));
    for (const world of worlds) {
      deepEqual(appliedCounts(writesOf(world, stage)), appliedCounts(writes), "made and deleted as often as ever");
      await flow.clear(world, stage);
    }
  });
}
