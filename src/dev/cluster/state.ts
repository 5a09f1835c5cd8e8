import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../api/failure.ts";
import { isLocked } from "../lock.ts";
import { clustersDirectory } from "../paths.ts";
import { layoutOf } from "./arguments.ts";
import { readHolder } from "./holder.ts";

/** What a running cluster tells other processes about itself. True only while the cluster's lock is held. */
export interface ClusterState {
  readonly v: 1;
  readonly name: string;
  readonly pid: number;
  readonly server: string;
  readonly kubernetes: string;
  readonly startedAt: string;
  readonly addons: readonly string[];
  readonly components: readonly { readonly name: string; readonly pid: number; readonly log: string }[];
  /** By user name. */
  readonly kubeconfigs: Readonly<Record<string, string>>;
  /** Variables that `portway dev env` exports besides KUBECONFIG. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whole or not at all: a reader never sees half a file. */
export async function writeState(path: string, state: ClusterState): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

type Env = Readonly<Record<string, string | undefined>>;

export function clusterDirectory(env: Env, name: string): string {
  return join(clustersDirectory(env), name);
}

/** The process that holds the cluster of this name, also while it is only starting. */
export async function requireHolder(env: Env, name: string): Promise<number> {
  const directory = clusterDirectory(env, name);
  const pid = (await isLocked(directory)) ? await readHolder(layoutOf(directory).holder) : undefined;
  if (pid !== undefined) return pid;
  throw notUp(name);
}

/** The state of the cluster of this name; it has one from the moment it is ready. */
export async function requireUp(env: Env, name: string): Promise<ClusterState> {
  const directory = clusterDirectory(env, name);
  const text = (await isLocked(directory))
    ? await readFile(layoutOf(directory).state, "utf8").catch(() => undefined)
    : undefined;
  if (text !== undefined) return JSON.parse(text) as ClusterState;
  throw notUp(name);
}

function notUp(name: string): Failure {
  return new Failure(
    `no cluster "${name}" is up`,
    `Start it: portway dev up${name === "dev" ? "" : ` --name ${name}`}`,
  );
}
