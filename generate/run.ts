import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { command } from "../src/cli/command.ts";
import { runCommand } from "../src/cli/run.ts";
import { stopSignal } from "../src/cli/stop-signal.ts";
import { terminalOn } from "../src/cli/terminal.ts";
import { startCluster } from "../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../src/dev/cluster/options.ts";
import { packageRoot } from "../src/dev/paths.ts";
import { addons, filesFrom, output } from "./from-server.ts";
import { generateMessages } from "./messages.ts";
import { pages } from "./pages.ts";

const types = command({
  name: "generate",
  says: "write src/rpc/gen from proto/, and src/api/gen from what a real API server says about its kinds",
  flags: {},
  async run({ terminal, env, stop }) {
    await generateMessages(packageRoot);
    terminal.result("src/rpc/gen has the messages of proto/");
    for (const [path, text] of pages) await writeFile(join(packageRoot, path), text());
    terminal.result(`written from the program itself: ${[...pages.keys()].join(" ")}`);
    const options = clusterOptions({ name: `generate-${randomBytes(3).toString("hex")}`, with: addons });
    const cluster = await startCluster(options, { env, terminal, stop, keepLogs: false });
    try {
      const files = await filesFrom(cluster);
      await rm(output, { recursive: true, force: true });
      await mkdir(output);
      for (const [name, text] of files) await writeFile(join(output, name), text);
      terminal.result(
        `src/api/gen has the kinds of Kubernetes ${cluster.state.kubernetes}: ${[...files.keys()].join(" ")}`,
      );
    } finally {
      terminal.progress("stopping the cluster");
      await cluster.stop();
    }
  },
});

process.exitCode = await runCommand(
  { name: "make", says: "Portway's generated types", commands: [types] },
  ["generate", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
