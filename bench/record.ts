import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../src/dev/paths.ts";
import type { Result } from "./report.ts";

/** How the results of a benchmark begin; those of the client have no such word. */
const prefixes = ["transfer: ", "provision: ", "buckets: ", "cli: "] as const;
export type Prefix = (typeof prefixes)[number] | "";

function prefixOf(name: string): Prefix {
  return prefixes.find((prefix) => name.startsWith(prefix)) ?? "";
}

/** Writes the results of one benchmark into build/bench.json, beside what the others have found. */
export async function record(prefix: Prefix, results: readonly Result[]): Promise<void> {
  const folder = join(packageRoot, "build");
  const path = join(folder, "bench.json");
  await mkdir(folder, { recursive: true });
  const before = JSON.parse(await readFile(path, "utf8").catch(() => '{"results":[]}')) as {
    readonly results: readonly Result[];
  };
  const others = before.results.filter(({ name }) => prefixOf(name) !== prefix);
  await writeFile(path, `${JSON.stringify({ results: [...others, ...results] }, null, 2)}\n`);
}
