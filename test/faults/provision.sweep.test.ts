import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { cloned, deletedMeanwhile, madeAndDeleted } from "../provision/flows/flows.ts";
import { shortRpcTier } from "../provision/flows/rpc-cases.ts";
import { echoes, madeWithSecret } from "../provision/flows/secret.ts";
import { shortTier } from "./sweep/cases.ts";
import { sweep } from "./sweep/sweep.ts";

for (const flow of [madeAndDeleted, deletedMeanwhile, cloned]) {
  test(`${flow.name}, killed before and after every write and with every reply lost, ends as if nothing had happened`, async () => {
    const swept = await sweep(flow, { cluster: await laneCluster(), cases: shortTier });
    deepEqual(swept.violations, []);
    ok(swept.cases === swept.sites * 3 && swept.sites > 0);
  });
}

for (const flow of [madeAndDeleted, deletedMeanwhile]) {
  test(`${flow.name}, every call of the driver refused before and after the act and its reply lost, ends as if nothing had happened`, async () => {
    const cases = shortRpcTier("CreateVolume", "DeleteVolume");
    const swept = await sweep(flow, { cluster: await laneCluster(), cases });
    deepEqual(swept.violations, []);
    equal(swept.cases, 6);
  });
}

test("a secret that the driver says aloud is in no Event, no Lease and no log", async () => {
  const cases = echoes("CreateVolume", ["INTERNAL", "DEADLINE_EXCEEDED"]);
  const swept = await sweep(madeWithSecret, { cluster: await laneCluster(), cases });
  deepEqual(swept.violations, []);
  equal(swept.cases, 2);
});
