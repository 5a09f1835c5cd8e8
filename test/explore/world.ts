import type { Memory } from "../../src/runtime/turn.ts";
import type { Request } from "./model/requests.ts";
import type { Server } from "./model/server.ts";
import type { View } from "./views.ts";

/** Everything that can make a difference to what happens next. Never changed: each move makes a new one. */
export interface World {
  readonly server: Server;
  readonly processes: readonly Process[];
  /** Sent by a process that has given them up since; they may still arrive, once. */
  readonly delayed: readonly Request[];
  /** How many requests were ever delayed. */
  readonly delays: number;
  /** What people have done so far, each once. */
  readonly done: readonly string[];
}

/** A process of ours: what it has been told, and what it remembers. All of it is lost when it crashes. */
export interface Process {
  readonly name: string;
  /** It believes that it holds the lease. */
  readonly leads: boolean;
  /** In the order in which its wiring asks for them. */
  readonly views: readonly View[];
  /** By controller and key. */
  readonly memories: ReadonlyMap<string, Memory>;
}

export interface Move {
  readonly says: string;
  readonly next: World;
  /** Something went wrong that must never go wrong: the move itself is the violation. */
  readonly problem?: string;
  /** It changes nothing now, and would be tried again and again: no world that has such a move is at rest. */
  readonly restless?: string;
}

/** Somebody who acts. */
export interface Actor {
  readonly name: string;
  /**
   * Work goes on by itself and must come to rest; people do what they like; faults may happen or not. A world is at rest
   * when no work is left in it.
   */
  readonly does: "work" | "people" | "faults";
  moves(world: World): readonly Move[] | Promise<readonly Move[]>;
}

export function withServer(world: World, server: Server): World {
  return { ...world, server };
}

export function withProcess(world: World, index: number, process: Process): World {
  return { ...world, processes: world.processes.with(index, process) };
}
