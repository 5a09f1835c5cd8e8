import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";
import { handOverProvisioned as flow } from "../transfer/flows/provisioned.ts";
import { shortTier } from "./sweep/cases.ts";
import { sweep } from "./sweep/sweep.ts";

test("a volume of the real provisioner, its transfer killed before and after every write and with every reply lost, keeps its bytes", async () => {
  const swept = await sweep(flow, { cluster: await laneCluster(), cases: shortTier });
  deepEqual(swept.violations, []);
  ok(swept.cases === swept.sites * 3 && swept.sites > 0);
});
