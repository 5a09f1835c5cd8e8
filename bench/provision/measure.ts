import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../src/dev/cluster/cluster.ts";
import type { Span } from "./calls.ts";
import { type ClaimPlace, createClaims, deleteClaims } from "./claims.ts";
import { type Driver, driverFor } from "./drivers.ts";
import type { Contestant, Run } from "./figures.ts";
import type { Moments, Observer } from "./moments.ts";
import { type Ground, type Memory, startSidecar } from "./sidecar.ts";
import { raised, type Stage } from "./work.ts";

export interface Track {
  readonly cluster: Cluster;
  readonly ground: Ground;
  readonly observer: Observer;
  readonly say: (what: string) => void;
}

/** What the audit log will be asked. */
export interface Timed extends Omit<Run, "making" | "deleting"> {
  readonly making: Span;
  readonly deleting: Span;
}

/** What was told about the last ones belongs to them; and a program that has just begun has its own start behind it. */
const restMilliseconds = 3000;

/** One stage for one program: claims are made until all are bound, and deleted until all volumes are gone. */
export async function measureStage(stage: Stage, contestant: Contestant, track: Track): Promise<Timed> {
  const { cluster, ground, observer } = track;
  await using driver = await driverFor(stage, cluster, ground.stop);
  const waiting = stage.isBacklog === true ? await backlog(stage, driver, track) : undefined;
  await using sidecar = await startSidecar(contestant, driver, stage.flags, ground);
  if (waiting === undefined) await sleep(restMilliseconds);
  const idle = waiting === undefined ? await sidecar.cpuSeconds() : 0;

  const from = Date.now();
  const claims = waiting ?? (await made(stage, driver, track));
  await sidecar.during(observer.until("bound", stage.claims));
  const cpuSeconds = (await sidecar.cpuSeconds()) - idle;
  const moments = observer.all();
  await sleep(restMilliseconds);
  const memory = await sidecar.memory();
  const between = Date.now();

  const start = performance.now();
  const before = await sidecar.cpuSeconds();
  await deleteClaims(ground.admin, claims);
  await sidecar.during(observer.until("gone", stage.claims));
  const deleteCpuSeconds = (await sidecar.cpuSeconds()) - before;
  await sleep(restMilliseconds);
  return {
    stage: stage.name,
    contestant,
    claims: stage.claims,
    ...paceOf(moments),
    deletedPerSecond: (stage.claims / (last(moments, "gone") - start)) * 1000,
    cpuSeconds,
    deleteCpuSeconds,
    ...memory,
    making: { from, to: between },
    deleting: { from: between, to: Date.now() },
  };
}

async function made({ claims }: Stage, driver: Driver, { ground, observer }: Track): Promise<readonly ClaimPlace[]> {
  observer.forget();
  return await createClaims(ground.admin, driver.storageClassName, claims);
}

async function backlog(stage: Stage, driver: Driver, track: Track): Promise<readonly ClaimPlace[]> {
  const claims = await made(stage, driver, track);
  await track.observer.until("asked", stage.claims);
  await sleep(restMilliseconds);
  return claims;
}

type Pace = Pick<Run, "boundPerSecond" | "writtenPerSecond" | "waits" | "shares">;

/** From what was seen of every claim. */
export function paceOf(moments: readonly Moments[]): Pace {
  const begin = Math.min(...moments.map(({ created }) => created));
  const writes = moments.map(({ written = Number.NaN }) => written);
  return {
    boundPerSecond: (moments.length / (last(moments, "bound") - begin)) * 1000,
    // Between the first and the last there is one less than there are.
    writtenPerSecond: ((moments.length - 1) / (Math.max(...writes) - Math.min(...writes))) * 1000,
    waits: moments.map(({ created, bound = Number.NaN }) => bound - created),
    shares: moments.map(({ asked = Number.NaN, written = Number.NaN }) => written - asked),
  };
}

function last(moments: readonly Moments[], moment: "bound" | "gone"): number {
  return Math.max(...moments.map(({ [moment]: at = Number.NaN }) => at));
}

const quick = { driver: "fast", delayMilliseconds: 0 } as const;
const pauseMilliseconds = 200;

/** One claim after another, each on its own: milliseconds until it is bound. */
export async function measureAlone(count: number, contestant: Contestant, track: Track): Promise<readonly number[]> {
  const { cluster, ground, observer } = track;
  await using driver = await driverFor(quick, cluster, ground.stop);
  await using sidecar = await startSidecar(contestant, driver, raised, ground);
  const waits: number[] = [];
  for (let i = 0; i < count; i++) {
    await sleep(pauseMilliseconds);
    observer.forget();
    const claims = await createClaims(ground.admin, driver.storageClassName, 1);
    await sidecar.during(observer.until("bound", 1));
    waits.push(...paceOf(observer.all()).waits);
    await deleteClaims(ground.admin, claims);
    await sidecar.during(observer.until("gone", 1));
  }
  return waits;
}

export interface Held {
  /** Of the process that has made them all. */
  readonly afterMaking: Memory;
  /** Of a fresh process of either program, which finds them there. */
  readonly fresh: Readonly<Record<Contestant, Memory>>;
}

const settleMilliseconds = 10_000;

/** Claims that nobody deletes, with their volumes, and each program among them. */
export async function measureHeld(count: number, { cluster, ground, observer, say }: Track): Promise<Held> {
  await using driver = await driverFor(quick, cluster, ground.stop);
  observer.forget();
  const afterMaking = await (async () => {
    await using sidecar = await startSidecar("portway", driver, raised, ground);
    await createClaims(ground.admin, driver.storageClassName, count);
    await sidecar.during(observer.until("bound", count));
    await sleep(settleMilliseconds);
    return await sidecar.memory();
  })();
  const fresh = async (contestant: Contestant) => {
    say(`${contestant} among ${count} claims`);
    await using sidecar = await startSidecar(contestant, driver, raised, ground);
    await sleep(settleMilliseconds);
    return await sidecar.memory();
  };
  return {
    afterMaking,
    fresh: { "external-provisioner": await fresh("external-provisioner"), portway: await fresh("portway") },
  };
}
