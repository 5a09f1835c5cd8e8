import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { tryLock } from "../lock.ts";
import { layoutOf } from "./arguments.ts";
import { wasHeldHere } from "./holder.ts";

/** Removes everything of a cluster that is gone, except its logs where they are wanted. */
export async function sweep(directory: string, keepLogs: boolean): Promise<void> {
  if (!keepLogs) return await rm(directory, { recursive: true, force: true });
  for (const name of await dataIn(directory)) await rm(join(directory, name), { recursive: true, force: true });
}

/** A cluster that was killed with SIGKILL could not sweep: its data and credentials go when the next one comes. */
export async function sweepKilled(clusters: string): Promise<void> {
  for (const name of await readdir(clusters).catch(() => [])) {
    const directory = join(clusters, name);
    if (!(await wasHeldHere(layoutOf(directory).holder))) continue;
    // Nobody can start it while we hold its name, and whoever runs holds it.
    const held = await tryLock(directory);
    if (held === undefined) continue;
    try {
      await sweep(directory, true);
    } finally {
      await held.release();
    }
  }
}

async function dataIn(directory: string): Promise<readonly string[]> {
  const logs = basename(layoutOf(directory).logs);
  return (await readdir(directory).catch(() => [])).filter((name) => name !== logs);
}
