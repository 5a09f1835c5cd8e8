import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../src/api/failure.ts";
import { command } from "../src/cli/command.ts";
import { runCommand } from "../src/cli/run.ts";
import { stopSignal } from "../src/cli/stop-signal.ts";
import { terminalOn } from "../src/cli/terminal.ts";
import { startCluster } from "../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../src/dev/cluster/options.ts";
import { lendBucket } from "./bucket.ts";
import { giveAway } from "./give.ts";
import { handOver } from "./hand-over.ts";
import { controllerOn, install } from "./portway.ts";
import type { Outcome, Show } from "./stage.ts";

const demo = command({
  name: "demo",
  says: "hand a real volume from one team to another, and lend a real bucket, on a real control plane",
  flags: {},
  async run({ terminal, env, stop }) {
    const options = clusterOptions({
      name: `demo-${randomBytes(3).toString("hex")}`,
      with: ["hostpath,snapshotter,provisioner,versitygw"],
      user: ["alice:prod:edit", "bob:stage:edit"],
    });
    const cluster = await startCluster(options, { env, terminal, stop, keepLogs: false });
    const portway = controllerOn(cluster, "transfer");
    try {
      terminal.say(`Kubernetes ${cluster.state.kubernetes} runs on this machine: ${cluster.state.server}`);
      terminal.progress("installing Portway from deploy/");
      await install(cluster);
      await cluster.kubectl(["apply", "-f", join(import.meta.dirname, "teams.yaml")]);
      const show = (line: string) => terminal.result(line);
      compare(await handOver(cluster, portway, show), show);
      compare(await giveAway(cluster, show), show);
      await lendBucket(cluster, show);
    } finally {
      terminal.progress("stopping the cluster");
      await portway.kill();
      await cluster.stop();
    }
  },
});

function compare({ written, received }: Outcome, show: Show): void {
  show(`\nprod wrote   sha256:${written}\nstage found  sha256:${received}`);
  if (written !== received) throw new Failure("stage's volume does not hold what prod wrote", "Please report this.");
  show("The same volume, byte for byte. Nothing was copied.");
}

process.exitCode = await runCommand(
  { name: "make", says: "Portway's demonstration", commands: [demo] },
  ["demo", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
