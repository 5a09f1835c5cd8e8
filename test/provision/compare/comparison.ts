import { persistentVolumes } from "../../../src/api/gen/core.ts";
import type { Handle } from "../../../src/dev/cluster/handle.ts";
import type { Client } from "../../../src/kube/client.ts";
import { ApiError } from "../../../src/kube/errors.ts";
import { adminClient, keyOf, randomWord } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";
import type { Case, StationKind } from "./case.ts";
import { type Difference, differencesOf } from "./compare.ts";
import { declareNodes, removeNodes } from "./nodes.ts";
import type { ProgramName } from "./program.ts";
import type { CaseRecord } from "./record.ts";
import { runCase } from "./run-case.ts";
import { type Stage, watched } from "./scene.ts";
import { driverName, partsOfComparison, type Side, startSide } from "./side.ts";
import { sightOf } from "./sight.ts";

export interface Asked {
  readonly one: Case;
  readonly on: StationKind;
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** Waits that never came true with the program that is the measure: the case does not do what it says. */
  readonly broken: readonly string[];
  readonly records: Readonly<Record<"go" | "ours", CaseRecord>>;
}

export interface Comparison {
  resultOf(asked: Asked): Promise<Compared>;
  stop(): Promise<void>;
}

export interface ComparisonOptions {
  readonly programs: readonly [measure: ProgramName, compared: ProgramName];
  readonly asked: readonly Asked[];
  /** A directory in which the logs of all processes stay. */
  readonly logs?: string;
}

/** Most of a case is waiting for others. */
const atOnce = 24;

/** Starts both programs beside drivers of their own, and every case with both of them, some at a time. */
export async function startComparison(cluster: Handle, options: ComparisonOptions): Promise<Comparison> {
  await using undo = new AsyncDisposableStack();
  const run = `cmp-${randomWord()}`;
  const parts = await partsOfComparison();
  const admin = await adminClient(cluster);
  undo.defer(() => admin.close());
  undo.defer(() => removeNodes(admin, run));
  await declareNodes(admin, run, (kind) => (["a", "b"] as const).map((letter) => driverName(run, letter, kind)));
  const sight = await sightOf(admin, watched);
  undo.defer(() => sight.stop());
  const stage: Stage = { admin, sight, litter: [] };
  const [first, second] = options.programs;
  const logs = options.logs === undefined ? {} : { logs: options.logs };
  const sides = [
    await startSide(cluster, { program: first, letter: "a", run, parts, ...logs }, undo),
    await startSide(cluster, { program: second, letter: "b", run, parts, ...logs }, undo),
  ] as const;
  undo.defer(() => takeAway(stage, run));

  const gate = turnstile(atOnce);
  const results = new Map<string, Promise<Compared>>();
  for (const [index, asked] of options.asked.entries()) {
    const play = (side: Side) => gate(() => runCase(stage, side, asked.one, asked.on, String(index)));
    const result = Promise.all([play(sides[0]), play(sides[1])]).then(([go, ours]) => comparedOf(asked, go, ours));
    result.catch(() => undefined);
    results.set(idOf(asked), result);
  }
  undo.defer(async () => void (await Promise.allSettled(results.values())));
  const whole = undo.move();
  return {
    async resultOf(asked) {
      const result = results.get(idOf(asked));
      if (result === undefined) throw new Error(`nobody asked for ${idOf(asked)}`);
      return await result;
    },
    stop: () => whole.disposeAsync(),
  };
}

/** A case on each of its drivers. */
export function askedOf(cases: readonly Case[]): readonly Asked[] {
  return cases.flatMap((one) => one.on.map((on) => ({ one, on })));
}

export function idOf({ one, on }: Asked): string {
  return `${one.says} (${on})`;
}

function comparedOf({ one, on }: Asked, go: CaseRecord, ours: CaseRecord): Compared {
  const all = differencesOf({ case: one.says, on }, go, ours);
  return {
    // Whoever does not come to the end of a case has nothing to show from there on: only why is of interest.
    differences: neverTrue(ours).length === 0 ? all : all.filter(({ where }) => /^(waits|events) > /.test(where)),
    broken: neverTrue(go),
    records: { go, ours },
  };
}

function neverTrue({ waits }: CaseRecord): readonly string[] {
  const missed = Object.entries(waits).filter(([, came]) => came !== "came true");
  return missed.map(([wait, came]) => `${wait} ${came}`);
}

/** Lets so many in at a time, in the order in which they came. */
function turnstile(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((enter) => waiting.push(enter));
    else free--;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

/** Nothing of the run stays, whatever holds it: its drivers are about to go, and their data with them. */
async function takeAway({ admin, litter }: Stage, run: string): Promise<void> {
  for await (const page of admin.pages(persistentVolumes))
    for (const volume of page.items)
      if (volume.spec?.csi?.driver.endsWith(`.${run}.portway.dev`) === true) litter.push([persistentVolumes, volume]);
  await Promise.all(litter.map(([resource, object]) => forceAway(admin, resource, object)));
}

/** Others may put their finalizers on it in the meantime: it is looked at again until it is gone. */
async function forceAway(admin: Client, ...[resource, object]: Stage["litter"][number]): Promise<void> {
  const key = keyOf(object);
  await until(`${resource.kind} ${key.name} is gone`, async () => {
    const found = await admin.find(resource, key);
    if (found?.metadata.uid !== key.uid) return true;
    try {
      if (found.metadata.deletionTimestamp === undefined) await admin.delete(resource, key);
      else await admin.merge(resource, key, { metadata: { uid: key.uid, finalizers: null } });
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.trouble !== "conflict") throw problem;
    }
    return false;
  });
}
