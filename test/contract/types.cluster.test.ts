import { deepEqual, equal } from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { filesFrom, output } from "../../generate/from-server.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();

test("the committed types are what the server says about its kinds", async () => {
  const files = await filesFrom(cluster);
  deepEqual((await readdir(output)).sort(), [...files.keys()].sort(), "run make generate");
  for (const [name, text] of files)
    equal(await readFile(join(output, name), "utf8"), text, `src/api/gen/${name} is stale: run make generate`);
});
