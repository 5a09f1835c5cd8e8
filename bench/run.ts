import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { command } from "../src/cli/command.ts";
import { runCommand } from "../src/cli/run.ts";
import { stopSignal } from "../src/cli/stop-signal.ts";
import { terminalOn } from "../src/cli/terminal.ts";
import { type Cluster, startCluster } from "../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../src/dev/cluster/options.ts";
import { packageRoot, partsDirectory } from "../src/dev/paths.ts";
import { bucketsBench } from "./buckets/run.ts";
import { cliBench } from "./cli/run.ts";
import { connect } from "./connect.ts";
import { contestants } from "./contestants.ts";
import { figures } from "./figures.ts";
import { pageOf } from "./page.ts";
import { provisionBench } from "./provision/run.ts";
import { record } from "./record.ts";
import { resultsOf, shortfallsOf, tableOf } from "./report.ts";
import { withSectionsOf } from "./sections.ts";
import { transferBench } from "./transfer/run.ts";
import { fullWork, numberOf, runAll } from "./work.ts";
import { fillWorld, idleControllers } from "./world.ts";

const bench = command({
  name: "bench",
  says: "Portway's client beside client-go and client-node; with a flag, a smaller run that leaves docs/benchmarks.md alone",
  flags: {
    objects: { says: `claims, and as many volumes; ${fullWork.objects} when not given`, value: "N" },
    rounds: { says: `${fullWork.rounds} when not given`, value: "N" },
  },
  async run({ flags, terminal, env, stop }) {
    const rounds = flags.rounds === undefined ? {} : { rounds: numberOf(flags.rounds), starts: numberOf(flags.rounds) };
    const objects = flags.objects === undefined ? {} : { objects: numberOf(flags.objects) };
    const work = { ...fullWork, ...rounds, ...objects };
    const [load = 0] = loadavg();
    if (load > availableParallelism() / 2)
      terminal.say(`the machine is busy (load ${load.toFixed(1)}): expect a wide spread`);

    const programs = await contestants({ directory: partsDirectory(env), terminal, stop });
    const options = clusterOptions({
      name: `bench-${randomBytes(3).toString("hex")}`,
      "kcm-arg": [`--controllers=${idleControllers.map((name) => `-${name}`).join(",")}`],
    });
    await using cluster = disposable(await startCluster(options, { env, terminal, stop, keepLogs: false }));
    const kubeconfig = cluster.kubeconfigOf("admin");
    const client = await connect(kubeconfig);
    const claim = await fillWorld(client, work.objects, (made) =>
      terminal.progress(`${made} of ${work.objects} claims`),
    );
    await client.close();

    const onProgress = (what: string) => terminal.progress(what);
    const server = cluster.components.get("kube-apiserver")?.pid ?? 0;
    const runs = await runAll(work, { contestants: programs, kubeconfig, claim, server, stop, onProgress });
    const table = tableOf(figures, runs);
    const shortfalls = shortfallsOf(figures, runs);
    const results = resultsOf(figures, runs);
    await record("", results);
    terminal.result([table, ...shortfalls].join("\n\n"));
    if (work.objects < fullWork.objects || work.rounds < fullWork.rounds) return;
    const runtimes = [...new Set(runs.map(({ sample }) => sample.runtime))];
    const page = await pageOf({ work, load, kubernetes: cluster.state.kubernetes, runtimes, table, shortfalls });
    const path = join(packageRoot, "docs", "benchmarks.md");
    await writeFile(path, withSectionsOf(page, await readFile(path, "utf8")));
  },
});

function disposable(cluster: Cluster): Cluster & AsyncDisposable {
  return { ...cluster, [Symbol.asyncDispose]: () => cluster.stop() };
}

const others = [transferBench, provisionBench, bucketsBench, cliBench];
process.exitCode = await runCommand(
  { name: "make", says: "Portway's benchmark", commands: [bench, ...others] },
  others.some(({ name }) => name === process.argv[2]) ? process.argv.slice(2) : ["bench", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
