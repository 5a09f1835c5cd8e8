import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { misuse } from "../../src/api/failure.ts";
import { type Call, command } from "../../src/cli/command.ts";
import { runCommand } from "../../src/cli/run.ts";
import { stopSignal } from "../../src/cli/stop-signal.ts";
import { terminalOn } from "../../src/cli/terminal.ts";
import { startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { endLeftovers, runMarker } from "../fixture/leftovers.ts";
import { driverTiers, flows, flowsWithLateWrites } from "./flows.ts";
import { resultOf, tableOf } from "./result.ts";
import { lateTier, shortTier, type Tier, wholeSweep } from "./sweep/cases.ts";
import type { Flow } from "./sweep/flow.ts";
import { type SharedSweep, sharedSweep } from "./sweep/sweep.ts";

/** A real provisioner looks on all the time, and destroys what it may. */
const addons = ["hostpath,provisioner,snapshotter"];
/** At its usual pace the binder would be most of what a sweep waits for. */
const fastBinder = ["--pvclaimbinder-sync-period=500ms"];
const id = randomBytes(4).toString("hex");
process.env[runMarker] = id;

type Around = Pick<Call, "terminal" | "env" | "stop">;

interface Lane {
  readonly name: string;
  readonly controllerManagerArgs: readonly string[];
  readonly sweeps: readonly SharedSweep[];
}

const faults = command({
  name: "faults",
  says: "break every flow at every write, and in every other way we know",
  takes: "[flow…]",
  flags: {
    case: { says: "only the cases whose words contain this, on one control plane", value: "WORDS" },
    short: { says: "only the short tier: killed before and after each write, and its reply lost" },
  },
  async run({ flags, positionals, ...around }) {
    const { terminal } = around;
    const chosen = chosenFlows(positionals);
    const tierOf = (flow: Flow) => only(flags.short ? shortSweepOf(flow) : longSweepOf(flow), flags.case);
    const onCase = progressOn(terminal, () => [...fast, ...stock]);
    const fast = chosen.map((flow) => sharedSweep(flow, { cases: tierOf(flow), onCase }));
    const stock = flags.case === undefined ? chosen.filter(hasClaims).map((flow) => stockSweep(flow, onCase)) : [];
    const planned = [...fast, ...stock].reduce((sum, { planned }) => sum + planned.length, 0);
    if (planned === 0) throw misuse(`no case says "${flags.case}"`, "Copy the words from the report of a violation.");

    const lane = (name: string, sweeps: readonly SharedSweep[], controllerManagerArgs: readonly string[] = []) =>
      runLane({ name, sweeps, controllerManagerArgs }, around);
    await Promise.all([
      lane("one", fast, fastBinder),
      ...(flags.case === undefined ? [lane("two", fast, fastBinder)] : []),
      ...(stock.length > 0 ? [lane("stock", stock)] : []),
    ]);
    const leftovers = await endLeftovers(id);
    const swept = [...fast, ...stock].map((one) => one.swept());
    const result = resultOf(swept);
    await mkdir(join(packageRoot, "build"), { recursive: true });
    await writeFile(join(packageRoot, "build", "faults.json"), `${JSON.stringify(result, null, 2)}\n`);
    const wrong = [...swept.flatMap(({ violations }) => violations), ...leftovers.map((one) => `left running: ${one}`)];
    terminal.result([tableOf(result), ...wrong.map((why) => `✖ ${why}`)].join("\n"));
    return wrong.length === 0 ? 0 : 1;
  },
});

function chosenFlows(names: readonly string[]): readonly Flow[] {
  const unknown = names.find((name) => !flows.some((flow) => flow.name === name));
  if (unknown !== undefined)
    throw misuse(`there is no flow "${unknown}"`, `There are ${flows.map(({ name }) => name).join(", ")}.`);
  return flows.filter(({ name }) => names.length === 0 || names.includes(name));
}

function shortSweepOf(flow: Flow): Tier {
  return together(shortTier, driverTiers.get(flow)?.short);
}

function longSweepOf(flow: Flow): Tier {
  const late = flowsWithLateWrites.includes(flow) ? lateTier : undefined;
  return together(wholeSweep, late, ...(driverTiers.get(flow)?.long ?? []));
}

function together(...tiers: readonly (Tier | undefined)[]): Tier {
  return (...about) => tiers.flatMap((tier) => tier?.(...about) ?? []);
}

function only(tier: Tier, words: string | undefined): Tier {
  return (...about) => tier(...about).filter(({ says }) => words === undefined || says.includes(words));
}

/** The binder binds claims, and has nothing to do with anything else. */
function hasClaims({ watched }: Flow): boolean {
  return watched.some(({ resource }) => resource.plural === "persistentvolumeclaims");
}

/** What a fast binder hides: a claim that nobody kicks is bound only when the binder comes by on its own. */
function stockSweep(flow: Flow, onCase: (says: string, found: readonly string[]) => void): SharedSweep {
  return sharedSweep({ ...flow, name: `${flow.name}, stock binder` }, { cases: shortTier, onCase });
}

function progressOn(terminal: Around["terminal"], sweeps: () => readonly SharedSweep[]) {
  let [done, wrong] = [0, 0];
  return (says: string, found: readonly string[]) => {
    done++;
    wrong += found.length;
    // At once: a sweep takes hours, and whoever stops it must not lose what it has found.
    for (const why of found) terminal.say(`✖ ${why}`);
    const planned = sweeps().reduce((sum, { planned }) => sum + planned.length, 0);
    terminal.progress(`${done} of ${planned} cases, ${wrong} violations; ${says}`);
  };
}

/** A control plane of its own, and one flow after the other on it. */
async function runLane({ name, controllerManagerArgs, sweeps }: Lane, around: Around): Promise<void> {
  const options = clusterOptions({ name: `faults-${id}-${name}`, with: addons, "kcm-arg": controllerManagerArgs });
  const cluster = await startCluster(options, { ...around, keepLogs: false });
  try {
    for (const sweep of sweeps) await sweep.on(cluster, around.stop);
  } finally {
    await cluster.stop();
  }
}

process.exitCode = await runCommand(
  { name: "make", says: "Portway's fault sweeps", commands: [faults] },
  ["faults", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
