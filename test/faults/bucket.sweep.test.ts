import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  bucketTiers,
  controllerMakes,
  sidecarGrantsApart,
  sidecarMakes,
  sidecarOnRealStore,
} from "../buckets/flows/flows.ts";
import { laneCluster } from "../fixture/lane.ts";
import { shortTier, type Tier } from "./sweep/cases.ts";
import type { Flow } from "./sweep/flow.ts";
import { sweep } from "./sweep/sweep.ts";

const cluster = await laneCluster();
const tiers = new Map(bucketTiers);

async function sweeps<World>(flow: Flow<World>, ...all: readonly (Tier | undefined)[]): Promise<number> {
  const cases: Tier = (...about) => all.flatMap((tier) => tier?.(...about) ?? []);
  const swept = await sweep(flow, { cluster, cases });
  deepEqual(swept.violations, []);
  return swept.cases;
}

test("the controller, killed before and after every write and with every reply lost, ends as if nothing had happened", async () => {
  equal(await sweeps(controllerMakes, shortTier), controllerMakes.budget * 3);
});

test("the sidecar, killed at every write, refused at every call, its Bucket deleted beside every write, leaves nothing", async () => {
  equal(await sweeps(sidecarMakes, shortTier, tiers.get(sidecarMakes)?.short), sidecarMakes.budget * 3 + 9 + 12);
});

test("the sidecar of a driver that grants apart, refused at every call, ends as if nothing had happened", async () => {
  equal(await sweeps(sidecarGrantsApart, tiers.get(sidecarGrantsApart)?.short), 12);
});

test("a real store that is down, silent or closed to its driver keeps no bucket, no user and no key", async () => {
  equal(await sweeps(sidecarOnRealStore, tiers.get(sidecarOnRealStore)?.short), 12);
});
