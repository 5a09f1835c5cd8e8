import { type Trouble, troubleOf } from "../../src/api/trouble.ts";
import type { Ear } from "./ears.ts";
import type { Request } from "./model/requests.ts";
import type { Server } from "./model/server.ts";
import type { Turned } from "./turns.ts";
import { type Move, type Process, type World, withProcess } from "./world.ts";

/** What becomes of a write: it is stored and told, or stored only, or still under way. */
export type Fate = "told" | "lost" | "delayed";

export interface Turn extends Move {
  readonly fate: Fate;
  /** Nothing was late: what was looked at is what is. */
  readonly heardAll: boolean;
  /** The write that made the difference. */
  readonly wrote: Request | undefined;
}

/** What came of the requests of a turn. */
export interface Sent {
  readonly server: Server;
  readonly wrote: Request | undefined;
  readonly delayed: Request | undefined;
  /** A write that was accepted and changed nothing. */
  readonly vain: Request | undefined;
}

export interface Taken extends Sent {
  readonly fate: Fate;
  readonly ear: Ear;
  readonly turned: Turned;
  /** Whose turn it was, and about what. */
  readonly place: string;
}

export function turnMove(world: World, index: number, process: Process, taken: Taken): Turn {
  const { wrote, vain, turned, place, fate, ear } = taken;
  const heard = ear.heard.length === 0 ? "" : `hears of ${ear.heard.join(", ")} and `;
  const says = `${place}: ${heard}${wordsOf(turned)}${ends[fate]}`;
  const trouble = turned.problem === undefined ? undefined : troubleOf(turned.problem);
  const isVain = wrote === undefined && process.leads && (vain !== undefined || isWanted(turned, trouble));
  return {
    says,
    next: worldAfter(world, index, process, taken),
    wrote,
    fate,
    heardAll: ear.isAll,
    ...(trouble === "bug" ? { problem: `${place}: ${wordsFor(turned.problem)}` } : {}),
    ...(isVain ? { restless: `${says} for ever (${wordsFor(turned.problem)})` } : {}),
  };
}

const ends: Readonly<Record<Fate, string>> = {
  told: "",
  lost: ", and the reply is lost",
  delayed: ", and the request is still under way when it gives up",
};

/** A step that the server refuses is told and waits for a change; any other is tried again at once. */
function isWanted({ decision }: Turned, trouble: Trouble | undefined): boolean {
  return decision?.plan.do === "step" && trouble !== "refused";
}

function worldAfter(world: World, index: number, process: Process, { server, delayed, wrote }: Taken): World {
  if (wrote === undefined && process.memories === world.processes[index]?.memories) return world;
  const moved = withProcess({ ...world, server }, index, process);
  if (delayed === undefined) return moved;
  return { ...moved, delayed: [...world.delayed, delayed], delays: world.delays + 1 };
}

function wordsOf({ decision }: Turned): string {
  if (decision === undefined) return "finds nothing";
  const { plan, row } = decision;
  return plan.do === "step" ? `takes the step "${plan.step}"` : `reports "${row}"`;
}

function wordsFor(problem: unknown): string {
  return problem instanceof Error ? `${problem.name}: ${problem.message}` : "nothing changes";
}
