import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { transferFlows } from "../transfer/flows/flows.ts";
import { giveFlows } from "../transfer/flows/gives.ts";
import { shortTier } from "./sweep/cases.ts";
import { sweep } from "./sweep/sweep.ts";

for (const flow of [...transferFlows, ...giveFlows]) {
  test(`${flow.name}, killed before and after every write and with every reply lost, ends as if nothing had happened`, async () => {
    const swept = await sweep(flow, { cluster: await laneCluster(), cases: shortTier });
    deepEqual(swept.violations, []);
    ok(swept.cases === swept.sites * 3 && swept.sites > 0);
  });
}
