import { command } from "../../src/cli/command.ts";
import { runCommand } from "../../src/cli/run.ts";
import { stopSignal } from "../../src/cli/stop-signal.ts";
import { terminalOn } from "../../src/cli/terminal.ts";
import { controllerFlags, controllerSettings } from "../../src/runtime/flags.ts";
import { operate } from "../../src/runtime/operate.ts";
import { sampleController } from "./controller.ts";

/** The sample as a process, wired as the shipped ones are. */
const sample = command({
  name: "sample",
  says: "hand deeds from claims to their volumes",
  flags: controllerFlags,
  run: ({ flags, env, stop }) =>
    operate({
      component: "portway-sample",
      build: { version: "0", commit: "test" },
      settings: controllerSettings(flags, { gates: {} }),
      env,
      stop,
      controllers: sampleController,
    }),
});

process.exitCode = await runCommand(
  { name: "test", says: "processes for tests", commands: [sample] },
  ["sample", ...process.argv.slice(2)],
  { terminal: terminalOn(process.stdout, process.stderr), env: process.env, stop: stopSignal() },
);
