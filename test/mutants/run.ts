import { randomBytes } from "node:crypto";
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { stopSignal } from "../../src/cli/stop-signal.ts";
import { terminalOn } from "../../src/cli/terminal.ts";
import { type Cluster, startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { cleanUp } from "./clean-up.ts";
import { judge, type Verdict } from "./judge.ts";
import { type Mutant, mutantFrom } from "./mutant.ts";
import { scratchOf } from "./scratch.ts";

/** `make mutants`: breaks one thing after another, in a copy, and demands that its test fails each time. */
const root = join(import.meta.dirname, "../..");
const terminal = terminalOn(process.stdout, process.stderr);
const stop = stopSignal();

const start = performance.now();
const mutants = await mutantsNamed(process.argv.slice(2));
const verdicts = await judgeAll();
const passed = verdicts.filter(({ fate }) => fate === "caught").length;
const seconds = (performance.now() - start) / 1000;
await writeVerdicts();
terminal.result(`mutants: ${passed} passed, ${verdicts.length - passed} failed (${seconds.toFixed(0)} s)`);
process.exitCode = passed === verdicts.length && passed > 0 ? 0 : 1;

async function mutantsNamed(names: readonly string[]): Promise<readonly Mutant[]> {
  const paths = await Array.fromAsync(glob(join(import.meta.dirname, "*.patch")));
  const all = await Promise.all(
    paths.sort().map(async (path) => mutantFrom(basename(path, ".patch"), await readFile(path, "utf8"))),
  );
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(", ")}`);
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function judgeAll(): Promise<readonly Verdict[]> {
  await using scratch = await scratchOf(root);
  const cluster = mutants.some(({ needsCluster }) => needsCluster) ? await controlPlane() : undefined;
  try {
    return await judge(mutants, {
      scratch,
      stop,
      lane: cluster?.layout.directory,
      cleanUp: async () => void (cluster === undefined || (await cleanUp(cluster))),
      onVerdict: tell,
    });
  } finally {
    await cluster?.stop();
  }
}

/** One for all, as the sweeps have it: at its usual pace the binder would be most of what they wait for. */
async function controlPlane(): Promise<Cluster> {
  const options = clusterOptions({
    name: `mutants-${randomBytes(4).toString("hex")}`,
    with: ["hostpath,provisioner"],
    user: ["alice", "bob", "mallory"],
    "kcm-arg": ["--pvclaimbinder-sync-period=500ms"],
  });
  return await startCluster(options, { env: process.env, terminal, stop, keepLogs: false });
}

function tell({ mutant, fate, by, seconds: took }: Verdict): void {
  const mark = fate === "caught" ? "✔" : "✖";
  terminal.result(`${mark} ${mutant.name}: ${fate}${fate === "caught" ? ` by "${by}"` : ""} (${took.toFixed(1)} s)`);
  if (fate !== "caught") terminal.result(`  ${mutant.says}\n  ${mutant.test}\n${by.replaceAll(/^/gm, "    ")}`);
}

async function writeVerdicts(): Promise<void> {
  const rows = verdicts.map(({ mutant: { name, says, test }, fate, by, seconds: took }) => ({
    name,
    says,
    test,
    fate,
    by,
    seconds: Number(took.toFixed(1)),
  }));
  await mkdir(join(root, "build"), { recursive: true });
  const content = { mutants: rows, passed, failed: verdicts.length - passed };
  await writeFile(join(root, "build/mutants.json"), `${JSON.stringify(content, null, 2)}\n`);
}
