import { spawnSync } from "node:child_process";
import { dependencyFaults } from "./dependencies.ts";
import { directionFaults } from "./direction.ts";

/** Everything that can be known without running the product; `make check`. */
const checks: readonly (readonly [says: string, faults: () => Promise<readonly string[]>])[] = [
  ["format", () => tool("biome", "ci", "--colors=off", "--linter-enabled=false", "--error-on-warnings", ".")],
  ["lint", () => tool("oxlint", "--type-aware", "--deny-warnings", ".")],
  ["types", () => tool("tsc")],
  ["direction of dependency", directionFaults],
  ["dependencies", dependencyFaults],
];

let failed = 0;
for (const [says, find] of checks) {
  const start = performance.now();
  const faults = await find();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${says} (${seconds} s)`);
  for (const fault of faults) console.log(`  ${fault}`);
  failed += faults.length === 0 ? 0 : 1;
}
process.exitCode = failed === 0 ? 0 : 1;

async function tool(name: string, ...args: string[]): Promise<readonly string[]> {
  const { status, stdout, stderr, error } = spawnSync(name, args, { encoding: "utf8" });
  if (status === 0) return [];
  return [error?.message ?? `${stdout}${stderr}`.trim()];
}
