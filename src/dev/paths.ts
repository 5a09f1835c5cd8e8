import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "../api/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The directory of this package, from its sources and from the bundled file alike: Go modules and manifests lie there. */
export const packageRoot: string = findUpwards(import.meta.dirname, "go/controlplane/go.mod");

function findUpwards(from: string, landmark: string): string {
  if (existsSync(join(from, landmark))) return from;
  const parent = dirname(from);
  if (parent === from) {
    throw new Failure(
      `${landmark} is not beside this program`,
      "Install the whole portway package, not only its bundled file.",
    );
  }
  return findUpwards(parent, landmark);
}

/** Everything Portway writes on a machine lies here. */
export function cacheDirectory(env: Env): string {
  const xdg = env["XDG_CACHE_HOME"];
  const home = env["HOME"] ?? homedir();
  return join(xdg === undefined || xdg === "" ? join(home, ".cache") : xdg, "portway");
}

/** Makes a directory of ours, readable by its owner only: credentials lie below. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new Failure(`${path} cannot be used: ${why}`, "Set XDG_CACHE_HOME to a directory that you can write to.");
  }
}

export function partsDirectory(env: Env): string {
  return join(cacheDirectory(env), "parts");
}

export function clustersDirectory(env: Env): string {
  return join(cacheDirectory(env), "clusters");
}
