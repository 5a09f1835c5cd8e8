import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { handOverADeed } from "../sample/flow.ts";
import { shortTier } from "./sweep/cases.ts";
import { sweep } from "./sweep/sweep.ts";

test("the sample, killed before and after every write and with every reply lost, ends as if nothing had happened", async () => {
  const swept = await sweep(handOverADeed, { cluster: await laneCluster(), cases: shortTier });
  deepEqual(swept.violations, []);
  ok(swept.cases === swept.sites * 3 && swept.sites > 0);
});
