import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Component, startComponent } from "../../../src/dev/component.ts";
import { freePort } from "../../../src/dev/ports.ts";
import { accepts, isOk } from "../../../src/dev/probe.ts";
import { connectDriver } from "../../../src/rpc/driver.ts";
import { Controller } from "../../../src/rpc/gen/csi_pb.js";
import type { Calls } from "../../../src/rpc/grpc.ts";
import { startCsiDriver } from "../../driver/csi.ts";
import type { StationKind } from "./case.ts";
import { zoneKeys } from "./nodes.ts";
import { commandLine, type ProgramName } from "./program.ts";
import { type Tap, tapInto } from "./tap.ts";

/** A driver, and one of the two programs beside it. */
export interface Station {
  readonly kind: StationKind;
  readonly driver: string;
  readonly tap: Tap;
  /** Straight to the driver: what other sidecars and nodes ask of it. */
  readonly controller: Calls<typeof Controller>;
  /** Rejects when the provisioner ends although nobody stopped it. */
  readonly broken: Promise<never>;
}

export interface StationPlan {
  readonly kind: StationKind;
  readonly program: ProgramName;
  readonly driver: string;
  /** A short path: sockets lie in it. */
  readonly directory: string;
  /** Of the vendor's account, and the namespace it is at home in. */
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly run: string;
  readonly goProgram: string;
  readonly hostPathProgram: string;
}

const flagsOf: Readonly<Partial<Record<StationKind, readonly string[]>>> = { strict: ["--strict-topology"] };

export async function startStation(plan: StationPlan, undo: AsyncDisposableStack): Promise<Station> {
  await mkdir(plan.directory);
  const [inner, outer] = [join(plan.directory, "d.sock"), join(plan.directory, "t.sock")];
  await startDriver(plan, inner, undo);
  const tap = await tapInto(inner, { socket: outer, state: join(plan.directory, "tap") });
  undo.defer(() => tap.stop());
  const direct = connectDriver({ socket: inner });
  undo.defer(() => direct.close());
  const provisioner = await startProvisioner(plan, outer);
  let isOver = false;
  undo.defer(async () => {
    isOver = true;
    await provisioner.stop();
  });
  const broken = provisioner.ended.then((why): never => {
    throw new Error(isOver ? "the comparison is over" : `${plan.program} beside ${plan.driver}: ${why}`);
  });
  broken.catch(() => undefined);
  return { kind: plan.kind, driver: plan.driver, tap, controller: direct.calls(Controller), broken };
}

async function startDriver(
  { kind, driver, directory, run, hostPathProgram }: StationPlan,
  socket: string,
  undo: AsyncDisposableStack,
) {
  const state = join(directory, "state");
  if (kind === "host-path") {
    const args = [
      `--endpoint=unix://${socket}`,
      `--drivername=${driver}`,
      `--nodeid=${run}-east-1`,
      `--statedir=${state}`,
    ];
    await mkdir(state);
    const spec = { name: "hostpathplugin", program: hostPathProgram, args, logFile: join(directory, "driver.log") };
    const process = await startComponent({ ...spec, isReady: () => accepts(socket) }, AbortSignal.any([]));
    undo.defer(() => process.stop());
    return;
  }
  const isZoned = kind === "zones" || kind === "strict";
  const topology = isZoned ? { [zoneKeys[0]]: "north", [zoneKeys[1]]: "east" } : {};
  const scripted = await startCsiDriver({ socket, state }, { name: driver, topology });
  undo.defer(() => scripted.stop());
}

async function startProvisioner(plan: StationPlan, socket: string): Promise<Component> {
  const port = await freePort();
  const more = flagsOf[plan.kind] ?? [];
  const { kubeconfig, namespace, directory } = plan;
  const { program, args } = commandLine(plan.program, plan.goProgram, { kubeconfig, namespace, socket, port, more });
  const spec = {
    name: `${plan.program} csi-provisioner`,
    program,
    args,
    // KUBECONFIG would win over the flag.
    env: { KUBECONFIG: "" },
    logFile: join(directory, "provisioner.log"),
    isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
  };
  return await startComponent(spec, AbortSignal.any([]));
}
