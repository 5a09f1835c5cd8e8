import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../api/failure.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { partsOf, startAddon } from "../addons/start.ts";
import { build } from "../build/build.ts";
import type { Component } from "../component.ts";
import { type Lock, tryLock } from "../lock.ts";
import { clustersDirectory, makeDirectory, partsDirectory } from "../paths.ts";
import { auditPolicy, type Layout, layoutOf } from "./arguments.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { identitiesFor, writeCredentials } from "./credentials.ts";
import { newCrew } from "./crew.ts";
import { existingControlPlane } from "./existing.ts";
import { type Handle, handleOn } from "./handle.ts";
import { writeHolder } from "./holder.ts";
import { sweep, sweepKilled } from "./left-behind.ts";
import type { ClusterOptions } from "./options.ts";
import { type Programs, programsFor } from "./programs.ts";
import { type ClusterState, clusterDirectory, writeState } from "./state.ts";
import { listOf, tenantObjects } from "./tenants.ts";

/** A running cluster, owned by this process: it ends with it, in whatever way. */
export interface Cluster extends Handle {
  readonly layout: Layout;
  readonly state: ClusterState;
  readonly components: ReadonlyMap<string, Component>;
  /** Resolves with the reason when a process of the cluster ends although nobody stopped it. */
  readonly broken: Promise<string>;
  /** Kills a component with SIGKILL and starts it again as it was. */
  restart(name: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
  /** Whether the logs stay when the cluster is gone. */
  readonly keepLogs: boolean;
}

export async function startCluster(options: ClusterOptions, around: Surroundings): Promise<Cluster> {
  // Whatever fails from here on, what was started so far is stopped and swept in reverse order.
  await using undo = new AsyncDisposableStack();
  const directory = clusterDirectory(around.env, options.name);
  const held = await claim(directory, options.name);
  undo.defer(() => held.release());

  const place = { directory: partsDirectory(around.env), terminal: around.terminal, stop: around.stop };
  const layout = await freshLayout(directory);
  undo.defer(() => sweep(directory, around.keepLogs));
  await sweepKilled(clustersDirectory(around.env));
  // Before anything runs: a first build takes minutes.
  for (const part of options.addons.flatMap(partsOf)) await build(part, place);
  const programs = await programsFor(options.kubernetes, around.env["KUBEBUILDER_ASSETS"], place);
  await symlink(programs.kubectl, join(layout.bin, "kubectl"));
  const crew = newCrew();
  undo.defer(() => crew.stop());
  const { components, started, broken } = crew;
  const stop = AbortSignal.any([around.stop, crew.death]);

  around.terminal.progress(`starting the control plane in ${directory}`);
  const plane = await controlPlaneFor(options, { layout, programs, started, stop });
  const handle = handleOn(plane.kubeconfigs, layout, programs.kubectl, stop);
  const tenants = tenantObjects(options.tenants);
  if (tenants.length > 0) await handle.apply(listOf(tenants));
  const env: Record<string, string> = {};
  for (const name of options.addons) {
    around.terminal.progress(`starting the add-on ${name}`);
    Object.assign(env, await startAddon(name, { place, layout, handle, started, stop }));
  }

  const state = stateFrom(options, plane, components, env);
  await writeState(layout.state, state);
  const whole = undo.move();
  return {
    ...handle,
    layout,
    state,
    components,
    broken,
    restart: (name) => crew.restart(name, around.stop),
    stop: () => whole.disposeAsync(),
  };
}

async function claim(directory: string, name: string): Promise<Lock> {
  const held = await tryLock(directory);
  if (held !== undefined) return held;
  throw new Failure(
    `a cluster "${name}" is up or starting already`,
    `Stop it with "portway dev down --name ${name}", or choose another --name.`,
  );
}

interface Start {
  readonly layout: Layout;
  readonly programs: Programs;
  readonly started: (component: Component) => void;
  readonly stop: AbortSignal;
}

async function controlPlaneFor(options: ClusterOptions, start: Start): Promise<ControlPlane> {
  if (options.existing !== undefined)
    return await existingControlPlane(options.existing.kubeconfig, start.programs.kubectl, start.stop);
  const identities = identitiesFor(options.tenants);
  await writeCredentials(start.layout, identities);
  await writeFile(start.layout.auditPolicy, JSON.stringify(auditPolicy));
  return await startControlPlane({ ...start, options, identities });
}

async function freshLayout(directory: string): Promise<Layout> {
  await rm(directory, { recursive: true, force: true });
  const layout = layoutOf(directory);
  for (const folder of [layout.logs, layout.kubeconfigs, layout.bin, join(directory, "pki")]) {
    await makeDirectory(folder);
  }
  await writeHolder(layout.holder);
  return layout;
}

function stateFrom(
  options: ClusterOptions,
  { server, version, kubeconfigs }: ControlPlane,
  components: ReadonlyMap<string, Component>,
  env: Readonly<Record<string, string>>,
): ClusterState {
  return {
    v: 1,
    name: options.name,
    pid: process.pid,
    server,
    kubernetes: version,
    startedAt: new Date().toISOString(),
    addons: options.addons,
    components: [...components.values()].map(({ name, pid, spec }) => ({ name, pid, log: spec.logFile })),
    kubeconfigs,
    env,
  };
}
