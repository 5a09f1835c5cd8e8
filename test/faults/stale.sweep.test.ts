import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { handOverADeed } from "../sample/flow.ts";
import { countTo } from "./sweep/case.ts";
import type { Tier } from "./sweep/cases.ts";
import { staleListAfterKill } from "./sweep/stale-list.ts";
import { sweep } from "./sweep/sweep.ts";

const missesTheDeed: Tier = (sites) => countTo(sites).map((n) => staleListAfterKill(n, "configmaps"));

test("the sample, restarted after every write before a list that misses the deed, does not take it for gone", async () => {
  const swept = await sweep(handOverADeed, { cluster: await laneCluster(), cases: missesTheDeed });
  deepEqual(swept.violations, []);
  equal(swept.cases, swept.sites);
});
