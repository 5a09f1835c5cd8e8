import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Built, build } from "../../../src/dev/build/build.ts";
import { addonParts } from "../../../src/dev/build/parts.ts";
import type { Handle } from "../../../src/dev/cluster/handle.ts";
import { partsDirectory } from "../../../src/dev/paths.ts";
import { removeAccount, vendorAccount } from "./account.ts";
import { type StationKind, stationKinds } from "./case.ts";
import type { ProgramName } from "./program.ts";
import { type Station, startStation } from "./station.ts";

/** One of the two programs with everything it runs beside. */
export interface Side {
  readonly program: ProgramName;
  /** One letter, because paths and names have it in them. */
  readonly letter: "a" | "b";
  readonly run: string;
  stationOf(kind: StationKind): Station;
}

export interface Parts {
  readonly provisioner: Built;
  readonly hostPath: Built;
}

/** From the cache, where the lane has put them before any test began. */
export async function partsOfComparison(): Promise<Parts> {
  const silent = { result() {}, say() {}, progress() {} };
  const place = { directory: partsDirectory(process.env), terminal: silent, stop: new AbortController().signal };
  return {
    provisioner: await build(addonParts.provisioner, place),
    hostPath: await build(addonParts.hostpath, place),
  };
}

export const allStations = Object.keys(stationKinds) as readonly StationKind[];

export function driverName(run: string, letter: Side["letter"], kind: StationKind): string {
  return `${kind}.${letter}.${run}.portway.dev`;
}

/** The namespace of the vendor's account. */
export function homeOf({ run, letter }: Pick<Side, "run" | "letter">, kind: StationKind): string {
  return `${kind === "secrets" ? "reader" : "plain"}-${letter}-${run}`;
}

export async function startSide(
  cluster: Handle,
  { program, letter, run, parts, logs }: Pick<Side, "program" | "letter" | "run"> & { parts: Parts; logs?: string },
  undo: AsyncDisposableStack,
): Promise<Side> {
  const directory = logs === undefined ? await mkdtemp(join(tmpdir(), "pw-")) : await mkdtemp(join(logs, `${letter}-`));
  if (logs === undefined) undo.defer(() => rm(directory, { recursive: true, force: true }));
  const account = async (namespace: string, readsSecrets: boolean) => {
    undo.defer(() => removeAccount(cluster, namespace));
    const kubeconfig = await vendorAccount(cluster, parts.provisioner.file("rbac.yaml"), { namespace, readsSecrets });
    return { namespace, kubeconfig };
  };
  const plain = await account(homeOf({ run, letter }, "scripted"), false);
  const reader = await account(homeOf({ run, letter }, "secrets"), true);
  const stations = await Promise.all(
    allStations.map(async (kind) => {
      const station = await startStation(
        {
          ...(kind === "secrets" ? reader : plain),
          kind,
          program,
          driver: driverName(run, letter, kind),
          directory: join(directory, kind),
          run,
          goProgram: parts.provisioner.program("csi-provisioner"),
          hostPathProgram: parts.hostPath.program("hostpathplugin"),
        },
        undo,
      );
      return [kind, station] as const;
    }),
  );
  const byKind = new Map(stations);
  return {
    program,
    letter,
    run,
    stationOf(kind) {
      const station = byKind.get(kind);
      if (station === undefined) throw new Error(`there is no station ${kind}`);
      return station;
    },
  };
}
