import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { stageFor } from "../faults/sweep/stage.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { handOverADeed as flow } from "../sample/flow.ts";

const lostRights = ["delete", "clusterrolebinding", "portway-sample"];

test("rights that are lost in mid-run are missed aloud once, and when they are back the work goes on", async () => {
  const cluster = await laneCluster();
  await using stage = await stageFor(flow, cluster);
  const { proxy, subject, monitor } = stage;
  await until("it is at work", () => subject.lastWords().includes("at work"));
  // In the middle of a flow: the journal is written, and the deed is not burnt.
  const armed = proxy.arm({ site: { n: 3 }, fault: { kind: "timeout" } });
  const beginning = flow.begin(stage);
  await armed.whenFired;
  await cluster.kubectl(lostRights);
  await until("a write is refused", () => proxy.log().some(({ code }) => code === 403));
  const refusedAt = proxy.mark();
  // A watch that is open stays so; a new one is refused.
  proxy.cutWatches();
  await until("it tries again", () => proxy.since(refusedAt).some(({ code }) => code === 403));
  await until("the watches are missed", () => linesWith("has trouble and goes on").length >= flow.watched.length);
  const world = await beginning;
  equal(await flow.isSettled(world, stage), false);

  await flow.install(stage);
  await until("the deed is handed over", () => flow.isSettled(world, stage));
  await until("it watches again", () => proxy.watching() >= flow.watched.length);
  await monitor.caughtUp();
  deepEqual(monitor.violations(), []);
  equal(subject.crashes, 0);
  for (const words of [
    "photos is tried again",
    ...flow.watched.map(({ resource }) => `the watch of ${resource.plural}`),
  ])
    ok(linesWith(words, "forbidden").length <= 1, `${words}: ${linesWith(words).join("\n")}`);
  await flow.clear(world, stage);

  function linesWith(...words: readonly string[]): readonly string[] {
    const lines = subject.lastWords().split("\n");
    return lines.filter((line) => line.includes('"v":0') && words.every((word) => line.includes(word)));
  }
});
