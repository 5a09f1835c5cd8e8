import { ConnectionError } from "../../src/kube/transport/http.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import type { Plan } from "../../src/runtime/table.ts";
import type { Memory } from "../../src/runtime/turn.ts";
import { type Ear, earsOf } from "./ears.ts";
import { isFailure, type Reply } from "./model/replies.ts";
import { answerTo, type Request } from "./model/requests.ts";
import type { Server } from "./model/server.ts";
import { clientThrough } from "./model/transport.ts";
import { sourcesOn, watchesOf } from "./model-sources.ts";
import { type Fate, type Sent, type Turn, turnMove } from "./turn-move.ts";
import { type Controlled, Paused, type Turned } from "./turns.ts";
import { interned, listed, type View } from "./views.ts";
import type { Process, World } from "./world.ts";

/** How a process is put together: its watches, and what looks at them. */
export type Wiring = (sources: Sources) => readonly Controlled[];

export function startOf(wire: Wiring, server: Server, names: readonly string[] = ["portway"]): World {
  const views = watchesOf(wire).map((watch) => listed(server, watch));
  const processes = names.map((name, index): Process => ({ name, leads: index === 0, views, memories: new Map() }));
  return { server, processes, delayed: [], delays: 0, done: [] };
}

export interface ControllerOptions {
  readonly wire: Wiring;
  /** The domain looks at the reply of its last step, so it is part of the state. */
  readonly looksAtReplies?: boolean;
  /** How many requests of a run may arrive after their sender has given them up. */
  readonly delays?: number;
  /** Which controllers run in which process; without it all of them run in every one. */
  readonly runs?: (process: string, controller: string) => boolean;
}

export interface Controllers {
  /** Every look that any process may take now, after hearing more or less of what has happened. */
  readonly turns: (world: World) => Promise<readonly Turn[]>;
  /** How often each row was decided by. */
  readonly rows: ReadonlyMap<string, number>;
}

interface Place {
  readonly index: number;
  /** Which of the controllers of the process. */
  readonly at: number;
  readonly key: string;
  readonly ear: Ear;
}

/**
 * A process hears of things only when it looks: whatever it hears earlier without looking makes no difference. So hearing
 * is no move of its own, and a look that writes nothing is none either; both would only multiply the worlds.
 */
export function controllersOf({
  wire,
  looksAtReplies = false,
  delays = 0,
  runs = () => true,
}: ControllerOptions): Controllers {
  const empty = watchesOf(wire).map((watch): View => ({ ...watch, told: new Map(), position: 0, own: [] }));
  const wired = wire(sourcesOn(empty).sources);
  const rows = new Map(wired.flatMap((one) => one.rows).map((row) => [row, 0]));
  const taken = new WeakMap<World, Promise<readonly Turn[]>>();

  async function take(world: World, { index, at, key, ear }: Place, fate: Fate): Promise<Turn | undefined> {
    const process = world.processes[index];
    const known = sourcesOn(ear.views);
    const one = wire(known.sources)[at];
    if (process === undefined || one === undefined) return undefined;
    const line = lineTo(world.server, fate);
    const place = `${one.name} ${key}`;
    const memory: Memory = { reply: undefined, waiting: undefined, ...process.memories.get(place) };
    const turned = await one.turn(key, memory, {
      client: clientThrough(line.exchange, process.name),
      sources: known.sources,
      holdsLease: () => process.leads,
      seconds: world.server.seconds,
    });
    if (turned.decision !== undefined) rows.set(turned.decision.row, (rows.get(turned.decision.row) ?? 0) + 1);
    const memories = withMemory(process.memories, place, remembered(memory, turned, looksAtReplies));
    const sent = line.seen();
    const after = { ...process, views: known.views().map((view) => interned(sent.server, view)), memories };
    return turnMove(world, index, after, { ...sent, fate, turned, ear, place: `${process.name}: ${key}` });
  }

  async function all(world: World): Promise<readonly Turn[]> {
    const places = world.processes.flatMap(({ name, views }, index) =>
      earsOf(world.server, views).flatMap((ear) =>
        wired.flatMap((one, at) =>
          runs(name, one.name) ? one.keys.map((key): Place => ({ index, at, key, ear })) : [],
        ),
      ),
    );
    const turns: (Turn | undefined)[] = [];
    for (const place of places) {
      const turn = await take(world, place, "told");
      turns.push(turn);
      if (turn?.wrote === undefined) continue;
      turns.push(await take(world, place, "lost"));
      if (world.delays < delays) turns.push(await take(world, place, "delayed"));
    }
    return turns.filter((turn) => turn !== undefined);
  }

  return {
    rows,
    turns(world) {
      const found = taken.get(world) ?? all(world);
      taken.set(world, found);
      return found;
    },
  };
}

/** One write that changes something a move; what is refused changes nothing, and may be told in the same move. */
function lineTo(
  start: Server,
  fate: Fate,
): { readonly exchange: (request: Request) => Reply; readonly seen: () => Sent } {
  let server = start;
  let wrote: Request | undefined;
  let vain: Request | undefined;
  return {
    exchange(request) {
      if (request.verb !== "get" && wrote !== undefined) throw new Paused();
      const answered = answerTo(server, request);
      if (answered.server === server) {
        if (request.verb !== "get" && !isFailure(answered.reply)) vain = request;
        return answered.reply;
      }
      wrote = request;
      if (fate !== "delayed") server = answered.server;
      if (fate !== "told") throw new ConnectionError("the connection was lost", { sent: true });
      return answered.reply;
    },
    seen: () => ({ server, wrote, vain, delayed: fate === "delayed" ? wrote : undefined }),
  };
}

/** At rest there is nothing to remember, as in the loop; since when it waits counts only where a wait is quiet at first. */
function remembered(memory: Memory, { outcome, decision }: Turned, looksAtReplies: boolean): Memory | undefined {
  const plan: Plan<string> | undefined = decision?.plan;
  if (plan === undefined || outcome?.is === "gone" || plan.do === "rest") return undefined;
  const isQuiet = plan.do === "wait" && (plan.quietSeconds ?? 0) > 0;
  const reply = looksAtReplies ? memory.reply : undefined;
  const waiting = isQuiet ? memory.waiting : undefined;
  return reply === undefined && waiting === undefined ? undefined : { reply, waiting };
}

function withMemory(
  memories: Process["memories"],
  place: string,
  memory: Memory | undefined,
): ReadonlyMap<string, Memory> {
  if (memory === undefined && !memories.has(place)) return memories;
  const next = new Map(memories);
  if (memory === undefined) next.delete(place);
  else next.set(place, memory);
  return next;
}
