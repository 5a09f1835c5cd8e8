import { setTimeout as sleep } from "node:timers/promises";
import { actsOf } from "../../test/fixture/audit.ts";
import { type Disk, eachOf, moved } from "./disks.ts";
import type { Measured } from "./figures.ts";
import type { Mover } from "./movers.ts";
import type { Work } from "./work.ts";

interface Track {
  readonly work: Work;
  /** How many of the disks go one after another. */
  readonly idle: number;
  readonly disks: Disk[];
  /** Where the audit log is, and whose lines in it count. */
  readonly directory: string;
  readonly component: string;
}

const pauseMilliseconds = 200;

/** One after another, then many at a time. The disks lie elsewhere afterwards. */
export async function measureMoves(move: Mover, { work, idle, disks, directory, component }: Track): Promise<Measured> {
  const carry = async (at: number) => {
    const disk = disks[at] as Disk;
    const milliseconds = await move(disk);
    disks[at] = moved(disk);
    return milliseconds;
  };
  const [alone, together]: [number[], number[]] = [[], []];
  const before = await writesIn(directory, component);
  for (let i = 0; i < idle; i++) {
    await sleep(pauseMilliseconds);
    alone.push(await carry(i % disks.length));
  }
  const between = await writesIn(directory, component);
  const start = performance.now();
  await eachOf([...disks.keys()], work.inFlight, async (at) => void together.push(await carry(at)));
  const seconds = (performance.now() - start) / 1000;
  const after = await writesIn(directory, component);
  const kicks = (a: Writes, b: Writes, count: number) => (b.kicks - a.kicks) / count - 1;
  const kicksIdle = kicks(before, between, idle);
  return {
    idle: alone,
    busy: together,
    perSecond: disks.length / seconds,
    writes: (between.all - before.all) / idle - Math.max(0, kicksIdle),
    kicksIdle,
    kicksBusy: kicks(between, after, disks.length),
  };
}

interface Writes {
  readonly all: number;
  readonly kicks: number;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

export async function writesIn(directory: string, component: string): Promise<Writes> {
  // What the process still tells about the last one belongs to it.
  await sleep(1000);
  const acts = (await actsOf({ directory }, component)).filter(
    ({ verb, resource }) => !reads.has(verb) && resource !== "events" && resource !== "leases",
  );
  const kicks = acts.filter(({ verb, resource }) => verb === "patch" && resource === "persistentvolumeclaims");
  return { all: acts.length, kicks: kicks.length };
}
