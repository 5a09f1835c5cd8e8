import { setTimeout as sleep } from "node:timers/promises";
import { type Act, actsOf } from "../../test/fixture/audit.ts";
import { eachOf } from "../transfer/disks.ts";
import type { Measured } from "./figures.ts";
import type { Processes } from "./processes.ts";
import type { Tenants } from "./tenants.ts";
import type { Work } from "./work.ts";

const pauseMilliseconds = 100;
const components = ["portway-buckets", "cosi-sidecar"] as const;

/** One after another, then many at a time, held for a moment, and gone again. `directory` has the server's audit log. */
export async function measureBuckets(
  tenants: Tenants,
  { controller, sidecar, driver }: Processes,
  { idle, burst, inFlight }: Work,
  directory: string,
): Promise<Measured> {
  const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);
  const [alone, together, leaving]: [number[], number[], number[]] = [[], [], []];
  const before = await tallied(directory);
  for (const at of numbers(idle)) {
    await sleep(pauseMilliseconds);
    alone.push(await tenants.ask(at));
  }
  const between = await tallied(directory);
  const crowd = numbers(burst, idle);
  const askSeconds = await secondsOf(() =>
    eachOf(crowd, inFlight, async (at) => void together.push(await tenants.ask(at))),
  );
  const after = await tallied(directory);
  const megabytes = {
    controller: await controller.megabytes(),
    sidecar: await sidecar.megabytes(),
    driver: await driver.megabytes(),
  };
  const leaveSeconds = await secondsOf(() =>
    eachOf(crowd, inFlight, async (at) => void leaving.push(await tenants.leave(at))),
  );
  const end = await tallied(directory);
  return {
    idle: alone,
    busy: together,
    leaving,
    perSecond: burst / askSeconds,
    leavesPerSecond: burst / leaveSeconds,
    writes: (between.writes - before.writes) / idle,
    reads: (between.reads - before.reads) / idle,
    busyWrites: (after.writes - between.writes) / burst,
    leaveWrites: (end.writes - after.writes) / burst,
    megabytes,
  };
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

interface Tally {
  readonly writes: number;
  readonly reads: number;
}

/** Of both processes, without Events and Leases: what a Bucket costs the server. Watches are open all the time. */
async function tallied(directory: string): Promise<Tally> {
  // What is still told about the last one belongs to it.
  await sleep(3000);
  const acts = (await Promise.all(components.map((one) => actsOf({ directory }, one)))).flat();
  const counted = acts.filter(({ resource, verb }) => !["events", "leases"].includes(resource) && verb !== "watch");
  const isRead = ({ verb }: Act) => verb === "get" || verb === "list";
  return { reads: counted.filter(isRead).length, writes: counted.filter((act) => !isRead(act)).length };
}
