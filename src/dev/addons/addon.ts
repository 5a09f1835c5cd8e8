import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildPlace } from "../build/build.ts";
import type { Layout } from "../cluster/arguments.ts";
import type { Handle } from "../cluster/handle.ts";
import { type Component, type ComponentSpec, startComponent } from "../component.ts";
import { packageRoot } from "../paths.ts";

export interface AddonPlace {
  readonly place: BuildPlace;
  readonly layout: Layout;
  readonly handle: Handle;
  readonly started: (component: Component) => void;
  readonly stop: AbortSignal;
}

/** Starts an add-on and answers the variables that people who use it want in their shell. */
export type Addon = (at: AddonPlace) => Promise<Readonly<Record<string, string>>>;

export async function run({ layout, started, stop }: AddonPlace, spec: Omit<ComponentSpec, "logFile">): Promise<void> {
  started(await startComponent({ ...spec, logFile: join(layout.logs, `${spec.name}.log`) }, stop));
}

/** A folder for the add-on's own data; it goes with the cluster. */
export async function folderFor({ layout }: AddonPlace, ...path: string[]): Promise<string> {
  const folder = join(layout.directory, "addons", ...path);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Applies a manifest of ours from `deploy/dev`. */
export async function applyOwn({ handle }: AddonPlace, name: string): Promise<void> {
  await handle.apply(await readFile(join(packageRoot, "deploy", "dev", name), "utf8"));
}

/** Applies files that upstream ships, as they are. */
export async function applyFiles({ handle }: AddonPlace, paths: readonly string[]): Promise<void> {
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  await handle.apply(texts.join("\n---\n"));
}

/** CRDs are usable only once the server says so. */
export async function untilEstablished({ handle }: AddonPlace, crds: readonly string[]): Promise<void> {
  await handle.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...crds.map((name) => `crd/${name}`)]);
}
