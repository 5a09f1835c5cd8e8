import { join } from "node:path";
import { type BuildPlace, build } from "../../src/dev/build/build.ts";
import { kubectlAlone } from "../../src/dev/build/parts.ts";
import { packageRoot } from "../../src/dev/paths.ts";

/** The same errand for everybody who can do it. */
export interface Errand {
  readonly name: "start" | "status";
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

export const errands: readonly Errand[] = [
  { name: "start", ours: ["status", "--help"], theirs: ["get", "--help"] },
  {
    name: "status",
    ours: ["status", "-A"],
    theirs: ["get", "storagetransferrequests,storagetransferapprovals", "-A"],
  },
];

export interface Programs {
  readonly portway: string;
  readonly kubectl: string;
  readonly node: string;
}

/** Portway as `make build` leaves it on PATH, launcher included, and kubectl as it is released. */
export async function programs(place: BuildPlace): Promise<Programs> {
  const kubectl = (await build(kubectlAlone, place)).program("kubectl");
  return { portway: join(packageRoot, "build", "kubectl-portway"), kubectl, node: process.execPath };
}
