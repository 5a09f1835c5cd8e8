import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../fixture/portway.ts";
import { type Call, callsIn } from "./calls.ts";
import { type DriverProcess, spawnDriver } from "./process.ts";
import { type Script, type ScriptLine, writeScript } from "./script.ts";
import { callLogOf } from "./serve.ts";

/** A scripted driver in a process of its own: it survives the process under test, and comes back when it dies itself. */
export interface Beside {
  readonly name: string;
  readonly socket: string;
  /** Where its inventory is, and its data. */
  readonly state: string;
  /** What is done to calls from now on, unless a case has something else in mind. */
  usually(script: Script): void;
  /** What a case does to calls. Answers how to take it back. */
  play(script: Script): () => void;
  /** How often a method was called already: the next call of it is the one after. */
  count(method: string): number;
  calls(): readonly Call[];
  /** Ends at once, and comes back with these words on its command line. */
  comeBack(words?: readonly string[]): Promise<void>;
}

/** `always` stands on its command line in all its lives. */
export async function startBeside(
  program: Parameters<typeof spawnDriver>[1],
  name: string,
  undo: AsyncDisposableStack,
  always: readonly string[] = [],
): Promise<Beside> {
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
  // Later words win over earlier ones.
  const live = async (words: readonly string[]) =>
    await spawnDriver({ after: () => undefined }, program, place, [`--name=${name}`, ...always, ...words]);
  const lives = await keepAlive(live, undo);
  const calls = () => callsIn(callLogOf(place.state));
  return {
    name,
    ...place,
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
    comeBack: (words = []) => lives.again(words),
  };
}

/** As its Deployment would do it. */
async function keepAlive(begin: (words: readonly string[]) => Promise<DriverProcess>, undo: AsyncDisposableStack) {
  let [words, isOver, life]: [readonly string[], boolean, number] = [[], false, 0];
  let one: DriverProcess | undefined;
  const kill = async () => await one?.kill("SIGKILL");

  async function live(): Promise<void> {
    one = await begin(words);
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
export function nextCall(driver: Pick<Beside, "count">, line: Omit<ScriptLine, "nth">, n = 1): ScriptLine {
  return { ...line, nth: driver.count(line.method) + n };
}
