import { join } from "node:path";
import { packageRoot } from "../../../src/dev/paths.ts";

/** The two programs that are compared; upstream's is built from its released module. */
export type ProgramName = "go" | "ours";

export interface ProgramSetting {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly socket: string;
  readonly port: number;
  readonly more: readonly string[];
}

interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

/** Both take the same flags: that is half of what a drop-in is. */
export function commandLine(name: ProgramName, goProgram: string, setting: ProgramSetting): CommandLine {
  const flags = [
    `--kubeconfig=${setting.kubeconfig}`,
    `--csi-address=${setting.socket}`,
    `--http-endpoint=127.0.0.1:${setting.port}`,
    "--leader-election",
    `--leader-election-namespace=${setting.namespace}`,
    "--extra-create-metadata",
    "--timeout=30s",
    "--retry-interval-max=4s",
    "--kube-api-qps=200",
    "--kube-api-burst=400",
    "--v=4",
    ...setting.more,
  ];
  if (name === "go") return { program: goProgram, args: flags };
  return { program: process.execPath, args: [join(packageRoot, "src/bin/portway.ts"), "csi-provisioner", ...flags] };
}
