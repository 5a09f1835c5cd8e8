import type { Client } from "../../src/kube/client.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { type ControllerOptions, type Controllers, controllersOf } from "./controllers.ts";
import { worldWith } from "./model/client.ts";
import { answerTo } from "./model/requests.ts";
import type { Transition } from "./model/transition.ts";
import type { Turn } from "./turn-move.ts";
import { listed } from "./views.ts";
import { type Actor, type Move, type Process, type World, withProcess, withServer } from "./world.ts";

/**
 * The processes under test and what can go wrong between them and the server: events come late, replies are lost,
 * requests arrive after they were given up, processes crash. A list anew, after a watch was cut off, shows what hearing
 * all events shows, so it is not a move of its own; what it never shows is what a process hears of only in one go.
 */
export function processes(options: ControllerOptions): {
  readonly actors: readonly Actor[];
  readonly controllers: Controllers;
} {
  const controllers = controllersOf(options);
  const looks = (is: (turn: Turn) => boolean) => async (world: World) => (await controllers.turns(world)).filter(is);
  const isPlain = ({ fate, heardAll }: Turn) => fate === "told" && heardAll;
  const actors: readonly Actor[] = [
    { name: "controller", does: "work", moves: looks(isPlain) },
    { name: "late events and lost replies", does: "faults", moves: looks((turn) => !isPlain(turn)) },
    { name: "network", does: "work", moves: arrivals },
    { name: "crash", does: "faults", moves: crashes },
  ];
  return { actors, controllers };
}

/** Every process, and what is to be put in its place. */
function each(world: World, next: (process: Process, index: number) => readonly Move[]): readonly Move[] {
  return world.processes.flatMap(next);
}

/**
 * All that a process knew is gone; it begins with a fresh list. Where nothing is remembered but what was heard, that is
 * the same as to hear everything, which every look may have done.
 */
function crashes(world: World): readonly Move[] {
  return each(world, (process, index) => {
    if (process.memories.size === 0) return [];
    const views = process.views.map((view) => listed(world.server, view));
    const next = withProcess(world, index, { ...process, views, memories: new Map() });
    return [{ says: `${process.name} crashes and starts again`, next }];
  });
}

function arrivals(world: World): readonly Move[] {
  return world.delayed.map((request, index) => {
    const { server, reply } = answerTo(world.server, request);
    const object = `${request.resource}/${request.name ?? ""}`;
    return {
      says: `a request arrives late: ${request.verb} ${object} (${reply.code})`,
      next: { ...world, server, delayed: world.delayed.toSpliced(index, 1) },
    };
  });
}

/** The next process takes the lease; for a while the one before believes that it still has it. */
export const leases: Actor = {
  name: "lease",
  does: "faults",
  moves: (world) =>
    each(world, (process, index) => {
      const next = world.processes[index + 1];
      if (process.leads && next !== undefined && !next.leads) {
        const says = `${next.name} takes the lease from ${process.name}`;
        return [{ says, next: withProcess(world, index + 1, { ...next, leads: true }) }];
      }
      if (process.leads && next?.leads === true) {
        const says = `${process.name} sees that its lease has passed`;
        return [{ says, next: withProcess(world, index, { ...process, leads: false }) }];
      }
      return [];
    }),
};

/** Those who live on the server and are not ours. */
export function residents(name: string, transitions: readonly Transition[]): Actor {
  return {
    name,
    does: "work",
    moves: (world) =>
      transitions.flatMap((one) =>
        one.from(world.server).map((server) => ({ says: `${name}: ${one.says}`, next: withServer(world, server) })),
      ),
  };
}

/** Something a person may do, once, at any time. What the server refuses was not done. */
export interface Act {
  readonly says: string;
  act(client: Client): Promise<unknown>;
  /** Only after these were done. */
  readonly after?: readonly string[];
}

export function people(acts: readonly Act[]): Actor {
  async function moveOf(world: World, one: Act): Promise<readonly Move[]> {
    const { says, after = [] } = one;
    if (world.done.includes(says) || !after.every((one) => world.done.includes(one))) return [];
    const holder = await worldWith(world.server);
    try {
      await one.act(holder.client);
    } catch (problem) {
      if (problem instanceof ApiError) return [];
      throw problem;
    }
    const server = holder.server();
    if (server === world.server) return [];
    return [{ says: `somebody ${says}`, next: { ...world, server, done: [...world.done, says].sort() } }];
  }

  return {
    name: "people",
    does: "people",
    moves: async (world) => (await Promise.all(acts.map((act) => moveOf(world, act)))).flat(),
  };
}

/** Time passes, so often and so long. */
export function time(seconds: number, times: number): Actor {
  return {
    name: "time",
    does: "people",
    moves(world) {
      const { server } = world;
      if (server.seconds >= seconds * times) return [];
      const next = withServer(world, { ...server, seconds: server.seconds + seconds });
      return [{ says: `${seconds} seconds pass`, next }];
    },
  };
}
