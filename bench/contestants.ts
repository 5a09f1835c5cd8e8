import { join } from "node:path";
import { build as bundle } from "esbuild";
import { type BuildPlace, build } from "../src/dev/build/build.ts";
import { informer } from "../src/dev/build/parts.ts";
import { packageRoot } from "../src/dev/paths.ts";

/** A program to measure. All take the same arguments and print the same line. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** What Portway ships with: V8 and malloc otherwise keep memory that nobody uses. */
export const shippedFlags = ["--max-semi-space-size=2"];
export const shippedEnv = { MALLOC_ARENA_MAX: "1" };

export async function contestants(place: BuildPlace): Promise<readonly Contestant[]> {
  const goProgram = (await build(informer, place)).program("informer");
  const ours = await bundled("portway");
  const bytes = await bundled("bytes-only");
  const node = await bundled("client-node");
  return [
    { name: "portway", command: [process.execPath, ...shippedFlags, ours], env: shippedEnv },
    { name: "bytes only", command: [process.execPath, ...shippedFlags, bytes], env: shippedEnv },
    { name: "client-go", command: [goProgram], env: {} },
    { name: "client-go with JSON", command: [goProgram, "--json"], env: {} },
    { name: "client-node", command: [process.execPath, node], env: {} },
  ];
}

/** One file, as Portway is shipped; for client-node, too, it is the quickest way to start. */
async function bundled(name: string): Promise<string> {
  const outfile = join(packageRoot, "build", "bench", `${name}.mjs`);
  await bundle({
    entryPoints: [join(packageRoot, "bench", "subjects", `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    // Some of client-node's dependencies are CommonJS and ask for Node's own modules by require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return outfile;
}
