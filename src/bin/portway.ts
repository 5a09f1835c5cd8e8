import { asking, wantsColours } from "../cli/asking.ts";
import type { CommandGroup } from "../cli/command.ts";
import { kubectlCommands } from "../cli/commands.ts";
import { runCommand } from "../cli/run.ts";
import { stopSignal } from "../cli/stop-signal.ts";
import { terminalOn } from "../cli/terminal.ts";
import { build } from "./build.ts";
import { controller } from "./controller.ts";
import { webhook } from "./webhook.ts";

const portway: CommandGroup = {
  // kubectl-portway is the same program, and speaks of itself as it was called.
  name: process.env["PORTWAY_CALLED_AS"] ?? "portway",
  says: "hand over, share and provision storage across namespaces",
  commands: [
    ...kubectlCommands,
    controller,
    webhook,
    {
      name: "csi-provisioner",
      says: "make and delete the volumes of a CSI driver, in the place of external-provisioner",
      load: async () => (await import("./csi-provisioner.ts")).csiProvisioner,
    },
    {
      name: "cosi-sidecar",
      says: "make, grant, revoke and delete the buckets of one driver",
      load: async () => (await import("./cosi-sidecar.ts")).cosiSidecar,
    },
    {
      name: "s3-driver",
      says: "make buckets, users and policies on an S3 store, for a sidecar beside it",
      load: async () => (await import("./s3-driver.ts")).s3DriverCommand,
    },
    {
      name: "cosi-conformance",
      says: "try on a live bucket driver everything that a sidecar relies on",
      load: async () => (await import("./cosi-conformance.ts")).cosiConformance,
    },
    {
      name: "dev",
      says: "a real Kubernetes control plane on this machine",
      load: async () => (await import("../dev/commands.ts")).dev,
    },
  ],
};

const [first, ...rest] = process.argv.slice(2);
const { env } = process;
const stop = stopSignal();
const terminal = {
  ...terminalOn(process.stdout, process.stderr),
  ...asking(process.stdin, process.stderr, stop),
  colours: wantsColours(process.stdout, env),
};
const around = { terminal, env, stop, version: build.version };

async function run(): Promise<void> {
  if (first === "--version" || first === "version") {
    terminal.result(`portway ${build.version} (${build.commit})`);
  } else if (first === "__complete") {
    const { completed } = await import("../cli/completion/complete.ts");
    terminal.result(await completed(portway, rest, around));
  } else {
    process.exitCode = await runCommand(portway, process.argv.slice(2), around);
  }
}

// Not awaited at the top: a bundle that is one file, and loads only what is called, has no top-level await.
void run();
