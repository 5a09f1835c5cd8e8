import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { misuse } from "../../../src/api/failure.ts";
import { command } from "../../../src/cli/command.ts";
import { runCommand } from "../../../src/cli/run.ts";
import { stopSignal } from "../../../src/cli/stop-signal.ts";
import { type Terminal, terminalOn } from "../../../src/cli/terminal.ts";
import { startCluster } from "../../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../../src/dev/cluster/options.ts";
import { packageRoot } from "../../../src/dev/paths.ts";
import { cases } from "./cases.ts";
import { type Asked, askedOf, type Comparison, idOf, startComparison } from "./comparison.ts";
import { differences } from "./differences.ts";
import { inWords, judged } from "./expected.ts";
import type { ProgramName } from "./program.ts";

const name = `compare-${randomBytes(3).toString("hex")}`;

/** At its usual pace the binder would be most of what the cases wait for. */
const quickBinder = ["--kube-api-qps=200", "--kube-api-burst=400"];

const compare = command({
  name: "compare",
  says: "run every case with two programs, and tell what they do differently",
  takes: "[go|ours go|ours]",
  flags: {
    case: { says: "only the cases whose sentences contain this", value: "WORDS" },
    logs: { says: "keep the logs of all processes in a directory, and say in which" },
  },
  async run({ flags, positionals, terminal, env, stop }) {
    const [first = "go", second = "ours"] = positionals.map(programOf);
    const asked = askedWith(flags.case);
    const logs = flags.logs ? { logs: await directoryForLogs(terminal) } : {};
    await using undo = new AsyncDisposableStack();
    const cluster = await startCluster(clusterOptions({ name, with: ["snapshotter"], "kcm-arg": quickBinder }), {
      env,
      terminal,
      stop,
      keepLogs: false,
    });
    undo.defer(() => cluster.stop());
    const comparison = await startComparison(cluster, { programs: [first, second], asked, ...logs });
    undo.defer(() => comparison.stop());
    return await report(comparison, asked, terminal);
  },
});

function programOf(word: string): ProgramName {
  if (word === "go" || word === "ours") return word;
  throw misuse(`there is no program "${word}"`, "There are go and ours.");
}

function askedWith(words = ""): readonly Asked[] {
  const asked = askedOf(cases.filter(({ says }) => says.includes(words)));
  if (asked.length > 0) return asked;
  throw misuse(`no case says "${words}"`, "Copy the words from docs/compat-external-provisioner.md.");
}

async function directoryForLogs(terminal: Terminal): Promise<string> {
  const directory = join(tmpdir(), name);
  await mkdir(directory);
  terminal.say(`the logs are in ${directory}`);
  return directory;
}

async function report(comparison: Comparison, asked: readonly Asked[], terminal: Terminal): Promise<number> {
  const start = performance.now();
  const found = [];
  const broken: string[] = [];
  const records: Record<string, unknown> = {};
  for (const one of asked) {
    terminal.progress(idOf(one));
    try {
      const result = await comparison.resultOf(one);
      records[idOf(one)] = result.records;
      found.push(...result.differences);
      broken.push(...result.broken.map((why) => `${idOf(one)}: ${why}`));
    } catch (problem) {
      broken.push(`${idOf(one)}: ${String(problem)}`);
    }
  }
  await mkdir(join(packageRoot, "build"), { recursive: true });
  await writeFile(join(packageRoot, "build", "compare.json"), `${JSON.stringify(records, null, 2)}\n`);
  const { unlisted, missing } = judged(found, differences);
  for (const difference of unlisted) terminal.result(inWords(difference));
  for (const one of missing) terminal.result(`listed, and not seen: ${JSON.stringify(one)}`);
  for (const why of broken) terminal.result(`broken: ${why}`);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  terminal.result(`${asked.length} cases, ${found.length} differences, ${unlisted.length} not listed (${seconds} s)`);
  return unlisted.length + broken.length === 0 ? 0 : 1;
}

process.exitCode = await runCommand(
  { name: "node", says: "both provisioners, side by side", commands: [compare] },
  ["compare", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
