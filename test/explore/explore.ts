import { hashOf } from "./canonical.ts";
import { type Edges, edgesOf } from "./edges.ts";
import type { Actor, Move, World } from "./world.ts";

/** Something that must be true of every world, or of every world in which all work is done. */
export interface Invariant {
  readonly id: string;
  readonly says: string;
  /** "always" when it is left out. */
  readonly at?: "always" | "rest";
  /** True, or what is wrong. Asked on every move, also on one that leads to a world that is known already. */
  holds(world: World, move?: { readonly before: World; readonly says: string }): true | string;
}

export interface Violation {
  readonly id: string;
  readonly says: string;
  readonly why: string;
  /** The shortest way to it, as sentences. */
  readonly trace: readonly string[];
}

export interface ExploreOptions {
  readonly start: World;
  readonly actors: readonly Actor[];
  readonly invariants: readonly Invariant[];
  /** What happens to every world by itself before anybody moves in it: `hearsInTime`, for one. */
  readonly tidied?: (world: World) => World;
  readonly depth: number;
  /** More than this is a failure of the exploration, not of the explored: make the flow smaller. */
  readonly mostStates: number;
}

export interface Exploration {
  readonly states: number;
  readonly edges: number;
  /** How many moves the longest of the shortest ways has. */
  readonly depth: number;
  /** No world was left unexplored. */
  readonly isComplete: boolean;
  /** Worlds in which all work is done. */
  readonly rests: number;
  readonly violation: Violation | undefined;
}

interface Found {
  readonly id: number;
  readonly world: World;
}

/** Breadth first, so that the first violation found has no shorter one. */
export async function explore({
  start,
  actors,
  invariants,
  tidied = (world) => world,
  depth,
  mostStates,
}: ExploreOptions): Promise<Exploration> {
  const ids = new Map([[hashOf(start), 0]]);
  const edges = edgesOf();
  const count = { edges: 0, rests: 0, depth: 0 };
  let frontier: readonly Found[] = [{ id: 0, world: start }];
  let violation: Violation | undefined = broken(start, undefined, "always");
  const isOver = () => frontier.length === 0 || count.depth === depth || violation !== undefined;

  while (!isOver()) {
    const next: Found[] = [];
    for (const found of frontier) {
      await expand(found, next);
      if (violation !== undefined) break;
      if (ids.size > mostStates) throw new Error(`more than ${mostStates} states at depth ${count.depth + 1}`);
    }
    if (next.length > 0) count.depth++;
    frontier = next;
  }
  violation ??= restless(edges);
  return { states: ids.size, ...count, isComplete: frontier.length === 0, violation };

  async function expand({ id, world }: Found, next: Found[]): Promise<void> {
    let hasWork = false;
    const restless: string[] = [];
    for (const actor of actors) {
      for (const move of await actor.moves(world)) {
        if (move.restless !== undefined && actor.does === "work") restless.push(move.restless);
        if (move.next === world && move.problem === undefined) continue;
        const to = arrive(id, world, move, next);
        if (violation !== undefined) return;
        if (to !== id && actor.does === "work") {
          hasWork = true;
          edges.work(id, to);
        }
      }
    }
    edges.expanded(id, !hasWork);
    if (!hasWork) atRest(id, world, restless);
  }

  function arrive(from: number, before: World, move: Move, next: Found[]): number {
    const world = tidied(move.next);
    const name = hashOf(world);
    const known = ids.get(name);
    if (known === from && move.problem === undefined) return from;
    count.edges++;
    const id = known ?? ids.size;
    if (known === undefined) {
      ids.set(name, id);
      edges.found(id, from, move.says);
      next.push({ id, world });
    }
    const trace = () => [...edges.traceTo(from), move.says];
    if (move.problem !== undefined)
      violation = { id: "bug", says: "nothing goes wrong by itself", why: move.problem, trace: trace() };
    violation ??= broken(world, { before, says: move.says }, "always", trace);
    return id;
  }

  function atRest(id: number, world: World, restless: readonly string[]): void {
    count.rests++;
    violation ??= broken(world, undefined, "rest", () => edges.traceTo(id));
    const [why] = restless;
    if (why !== undefined) violation ??= { id: "rest", says: "all work comes to rest", why, trace: edges.traceTo(id) };
  }

  function broken(
    world: World,
    move: Parameters<Invariant["holds"]>[1],
    at: "always" | "rest",
    trace: () => readonly string[] = () => [],
  ): Violation | undefined {
    for (const invariant of invariants) {
      if ((invariant.at ?? "always") !== at) continue;
      const why = invariant.holds(world, move);
      if (why !== true) return { id: invariant.id, says: invariant.says, why, trace: trace() };
    }
    return undefined;
  }
}

/** A world from which work never ends, whatever is done first. */
function restless(edges: Edges): Violation | undefined {
  const [id] = edges.neverAtRest();
  if (id === undefined) return undefined;
  const why = "from here no order of work comes to an end";
  return { id: "rest", says: "all work comes to rest", why, trace: edges.traceTo(id) };
}

/** What happened, a line a move. */
export function inWords({ id, says, why, trace }: Violation): string {
  const lines = trace.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
  return [`${id}: ${says}`, ...lines, `  => ${why}`].join("\n");
}
