import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDriver } from "../../../src/rpc/driver.ts";
import { Controller } from "../../../src/rpc/gen/csi_pb.js";
import type { Calls } from "../../../src/rpc/grpc.ts";
import { type Call, callsIn } from "../../driver/calls.ts";
import { type CsiInventory, csiInventory } from "../../driver/csi-inventory.ts";
import { type DriverProcess, spawnDriver } from "../../driver/process.ts";
import { type Script, type ScriptLine, writeScript } from "../../driver/script.ts";
import { callLogOf } from "../../driver/serve.ts";
import { until } from "../../fixture/portway.ts";

/** A scripted driver in a process of its own: it survives the process under test, and comes back when it dies itself. */
export interface DriverBeside {
  readonly name: string;
  readonly socket: string;
  /** Straight to it: what other sidecars ask, and what a test prepares. */
  readonly controller: Calls<typeof Controller>;
  /** What is done to calls from now on, unless a case has something else in mind. */
  usually(script: Script): void;
  /** What a case does to calls. Answers how to take it back. */
  play(script: Script): () => void;
  /** How often a method was called already: the next call of it is the one after. */
  count(method: string): number;
  calls(): readonly Call[];
  inventory(): CsiInventory;
  /** Ends at once, and comes back with these words on its command line. */
  comeBack(words?: readonly string[]): Promise<void>;
}

export async function startDriver(name: string, undo: AsyncDisposableStack): Promise<DriverBeside> {
  const directory = await mkdtemp(join(tmpdir(), "pw-"));
  undo.defer(() => rm(directory, { recursive: true, force: true }));
  const place = {
    socket: join(directory, "driver.sock"),
    state: join(directory, "state"),
    script: join(directory, "script.json"),
  };
  let [usual, planned]: [Script, Script] = [[], []];
  const write = () => writeScript(place.script, [...planned, ...usual]);
  write();
  const lives = await keepAlive(name, place, undo);
  const direct = connectDriver({ socket: place.socket });
  undo.defer(() => direct.close());
  const calls = () => callsIn(callLogOf(place.state));
  return {
    name,
    socket: place.socket,
    controller: direct.calls(Controller),
    usually(script) {
      usual = script;
      write();
    },
    play(script) {
      planned = script;
      write();
      return () => {
        planned = [];
        write();
      };
    },
    count: (method) => calls().filter((call) => call.method === method).length,
    calls,
    inventory: () => csiInventory(place.state).read(),
    comeBack: (words = []) => lives.again(words),
  };
}

/** As its Deployment would do it. */
async function keepAlive(name: string, place: Parameters<typeof spawnDriver>[2], undo: AsyncDisposableStack) {
  let [words, isOver, life]: [readonly string[], boolean, number] = [[], false, 0];
  let one: DriverProcess | undefined;
  const kill = async () => await one?.kill("SIGKILL");

  async function live(): Promise<void> {
    // Later words win over earlier ones.
    one = await spawnDriver({ after: () => undefined }, "csi-driver.ts", place, [`--name=${name}`, ...words]);
    life++;
    void one.ended.then(() => (isOver ? undefined : live()));
  }

  undo.defer(async () => {
    isOver = true;
    await kill();
  });
  await live();
  return {
    async again(next: readonly string[]): Promise<void> {
      const last = life;
      words = next;
      await kill();
      await until("the driver is back", () => life > last);
    },
  };
}

/** A line for the n-th call of its method from now on. */
export function nextCall(driver: DriverBeside, line: Omit<ScriptLine, "nth">, n = 1): ScriptLine {
  return { ...line, nth: driver.count(line.method) + n };
}
