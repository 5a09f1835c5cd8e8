import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { endLeftovers, runMarker } from "../fixture/leftovers.ts";
import type { Mutant } from "./mutant.ts";
import type { Scratch } from "./scratch.ts";
import type { Told } from "./told.ts";

/** What the named tests of a mutant did. Both are empty when none of them ran to its end. */
export interface Trial {
  readonly passed: readonly Told[];
  readonly failed: readonly Told[];
  readonly seconds: number;
  /** The end of what was said, for whoever has to find out why. */
  readonly words: string;
}

export interface TrialOptions {
  /** The directory of the control plane, for tests that need one. */
  readonly lane: string | undefined;
  readonly stop: AbortSignal;
}

const longestSeconds = 300;
const longestWords = 4000;
const reporter = pathToFileURL(join(import.meta.dirname, "told.ts")).href;

/** Runs the named tests of a mutant in the copy, as it is now. */
export async function trial({ test, fails }: Mutant, scratch: Scratch, { lane, stop }: TrialOptions): Promise<Trial> {
  const start = performance.now();
  const id = randomBytes(4).toString("hex");
  const results = scratch.beside(`results-${id}`);
  // Without this variable gone, a trial in a test would take itself for a part of that test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = [`--test-name-pattern=${fails.source}`, "--test-force-exit", `--test-reporter=${reporter}`];
  const child = spawn(
    process.execPath,
    [...flags, `--test-reporter-destination=${results}`, test, ...(lane === undefined ? [] : [`--lane=${lane}`])],
    { cwd: scratch.directory, env: { ...env, [runMarker]: id }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let words = "";
  const hear = (text: string) => void (words = `${words}${text}`.slice(-longestWords));
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  const enough = AbortSignal.any([stop, AbortSignal.timeout(longestSeconds * 1000)]);
  enough.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  if (enough.aborted) child.kill("SIGKILL");
  await once(child, "close");
  // A process of a test that was killed would go on and disturb the next one.
  await endLeftovers(id);
  const told = await toldIn(results);
  const named = told.filter(({ name }) => fails.test(name));
  return {
    passed: named.filter(({ passed }) => passed),
    failed: named.filter(({ passed }) => !passed),
    seconds: (performance.now() - start) / 1000,
    words,
  };
}

async function toldIn(results: string): Promise<readonly Told[]> {
  const text = await readFile(results, "utf8").catch(() => "");
  await rm(results, { force: true });
  // A killed process may leave half a line.
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Told);
}
