import { randomBytes } from "node:crypto";
import { glob } from "node:fs/promises";
import { stopSignal } from "../src/cli/stop-signal.ts";
import { terminalOn } from "../src/cli/terminal.ts";
import { partsOf } from "../src/dev/addons/start.ts";
import { build } from "../src/dev/build/build.ts";
import { defaultKubernetes } from "../src/dev/build/parts.ts";
import { type Cluster, startCluster } from "../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../src/dev/cluster/options.ts";
import { programsFor } from "../src/dev/cluster/programs.ts";
import { partsDirectory } from "../src/dev/paths.ts";
import { endLeftovers, runMarker } from "./fixture/leftovers.ts";
import { type Lane, lanes } from "./lanes.ts";
import { runFile } from "./run-file.ts";
import { none, plus, summaryOf } from "./summary.ts";

/** Runs the lanes, two at a time, and ends with one node:test summary over all of them. */
const id = randomBytes(4).toString("hex");
process.env[runMarker] = id;
const terminal = terminalOn(process.stdout, process.stderr);
/** Whoever waits for a run gives it up one day and learns nothing; one that stops by itself still tells what it knows. */
const longestMinutes = 75;
const overdue = AbortSignal.timeout(longestMinutes * 60_000);
const stop = AbortSignal.any([stopSignal(), overdue]);
const start = performance.now();
const wanted = process.argv.slice(2);

const waiting: Lane[] = lanes.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let total = none;
let broken = false;
const failures: string[] = [];
await Promise.all([inSight("the parts", buildParts(waiting)), track(), track()]);
const leftovers = await endLeftovers(id);
for (const command of leftovers) console.log(`✖ left running, and ended now: ${command}`);
// Once more at the very end: whoever reads only the last lines learns what failed.
for (const failure of failures) console.log(failure);
if (stop.aborted) console.log(overdue.aborted ? `✖ stopped after ${longestMinutes} minutes` : "✖ stopped");
console.log(summaryOf(total, performance.now() - start));
const allRan = total.tests > 0 && total.skipped === 0 && total.todo === 0;
process.exitCode =
  allRan && total.fail === 0 && total.cancelled === 0 && !broken && !stop.aborted && leftovers.length === 0 ? 0 : 1;

async function track(): Promise<void> {
  for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) {
    await inSight(`the lane ${lane.name}`, runLane(lane));
  }
}

/** What could not be done is told, fails the run, and holds up nothing else. */
async function inSight(what: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (problem) {
    broken = true;
    console.log(`✖ ${what} could not run: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

/** Builds what is missing beside the first lanes, where it can be seen: inside a test it would be minutes of silence. */
async function buildParts(asked: readonly Lane[]): Promise<void> {
  const clusters = asked.flatMap(({ cluster, starts }) => cluster ?? starts ?? []);
  const { addons } = clusterOptions({ with: clusters.flatMap((cluster) => cluster.with) });
  const place = { directory: partsDirectory(process.env), terminal, stop };
  if (clusters.length > 0) await programsFor(defaultKubernetes, process.env["KUBEBUILDER_ASSETS"], place);
  for (const part of addons.flatMap(partsOf)) await build(part, place);
}

async function runLane(lane: Lane): Promise<void> {
  const files = await Array.fromAsync(
    glob([...lane.files], { exclude: lane.except === undefined ? [] : [lane.except] }),
  );
  const cluster = lane.cluster === undefined ? undefined : await clusterFor(lane.name, lane.cluster);
  try {
    await runFiles(lane.name, files.sort(), cluster);
  } finally {
    await cluster?.stop();
  }
}

async function clusterFor(lane: string, words: NonNullable<Lane["cluster"]>): Promise<Cluster> {
  const options = clusterOptions({
    ...words,
    name: `test-${id}-${lane}`,
    user: ["alice", "bob", "mallory"],
  });
  return await startCluster(options, { env: process.env, terminal, stop, keepLogs: false });
}

async function runFiles(lane: string, files: readonly string[], cluster: Cluster | undefined): Promise<void> {
  const argv = cluster === undefined ? [] : [`--lane=${cluster.layout.directory}`];
  for (const [at, file] of files.entries()) {
    if (stop.aborted) {
      failures.push(`✖ ${lane}: ${files.length - at} files did not run, from ${file} on`);
      return;
    }
    const result = await runFile({ lane, file, argv, stop, say: console.log });
    total = plus(total, result.counts);
    failures.push(...result.failures);
  }
}
