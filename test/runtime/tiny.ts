import type { TestContext } from "node:test";
import { type ConfigMap, configMaps } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { noticingJumps } from "../../src/runtime/clock-jump.ts";
import { alwaysLeader } from "../../src/runtime/election.ts";
import { controllerOn, type Engine, trigger } from "../../src/runtime/engine.ts";
import { metricsRegistry } from "../../src/runtime/metrics/registry.ts";
import type { Reconciler } from "../../src/runtime/reconciler.ts";
import { sourcesOf } from "../../src/runtime/sources.ts";
import { rest, step } from "../../src/runtime/table.ts";
import { until } from "../fixture/portway.ts";
import { type LogLine, rememberedLog } from "../fixture/remembered-log.ts";

/** The engine of a process, in this one: the parts that ship, a log that can be read, and pauses that suit a test. */
export function engineIn(t: TestContext, client: Client, clock: Clock = systemClock) {
  const { log, lines } = rememberedLog();
  const settings = { firstPauseMilliseconds: 100, longestPauseMilliseconds: 500, frozen: true };
  const sources = sourcesOf({ client, log, settings });
  t.after(() => sources.stop());
  const engine: Engine = {
    client,
    clientWith: () => client,
    namespace: "default",
    sources,
    election: alwaysLeader(),
    events: { tell: () => undefined },
    registry: metricsRegistry(),
    clock: noticingJumps(clock, log),
    log,
    workers: 3,
  };
  /** The warnings and errors with these words that a person sees who did not ask for details. */
  const said = (words: string): readonly LogLine[] =>
    lines.filter(
      ({ v, level, msg, err }) => v === 0 && level !== "info" && `${String(msg)} ${String(err)}`.includes(words),
    );
  return { engine, said };
}

export type Place = "keys" | "observe" | "decide" | "act";

export interface TinyOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly clock?: Clock;
  /** Called at each place of the way, so that a test can break it there. */
  readonly meet?: (place: Place, name: string) => unknown;
  readonly longestTurnSeconds?: number;
}

export interface Tiny {
  start(): void;
  readonly said: (words: string) => readonly LogLine[];
  add(name: string): Promise<void>;
  untilMarked(...names: readonly string[]): Promise<void>;
}

/** Puts `seen: yes` into every ConfigMap with `wanted`: one look, one step, and a rest. */
export async function tinyController(t: TestContext, options: TinyOptions): Promise<Tiny> {
  const { client, namespace, meet = () => undefined, longestTurnSeconds = 120 } = options;
  const { engine, said } = engineIn(t, client, options.clock);
  const notes = engine.sources.watch(configMaps, { where: { namespace }, project: (note) => note });
  const { cache } = notes;
  const reconciler: Reconciler<Stored<ConfigMap>, "mark"> = {
    name: "tiny",
    async observe(key) {
      await meet("observe", key.split("/")[1] ?? "");
      return cache.get(key);
    },
    decide({ metadata, data = {} }) {
      meet("decide", metadata.name);
      const isDone = data["wanted"] === undefined || data["seen"] === "yes";
      return isDone ? { row: "there is nothing to do", plan: rest } : { row: "it is not marked", plan: step("mark") };
    },
    async act(_, note, hand) {
      await meet("act", note.metadata.name);
      return await hand.patch(configMaps, note.metadata, new Change(note).set(["data", "seen"], "yes").operations);
    },
    report: () => [],
  };
  const keysOf = ({ metadata }: Stored<ConfigMap>) => {
    meet("keys", metadata.name);
    return [`${namespace}/${metadata.name}`];
  };
  const triggers = [trigger(cache, keysOf)];
  const controller = controllerOn(engine, { reconciler, triggers, longestTurnSeconds });
  t.after(() => controller.loop.drained());
  await notes.untilSynced();
  return {
    said,
    start: () => controller.start(),
    async add(name) {
      await client.create(configMaps, { metadata: { namespace, name }, data: { wanted: "yes" } });
      await until("it is seen", () => cache.get(`${namespace}/${name}`) !== undefined);
    },
    async untilMarked(...names) {
      await until(`${names.join(" and ")} are marked`, async () => {
        const found = await Promise.all(names.map((name) => client.get(configMaps, { namespace, name })));
        return found.every(({ data }) => data?.["seen"] === "yes");
      });
    },
  };
}
