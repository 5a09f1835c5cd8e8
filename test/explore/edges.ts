/** Which world was reached from which, and where work leads. Worlds are numbers here, in the order they were found. */
export interface Edges {
  found(id: number, from: number, says: string): void;
  work(from: number, to: number): void;
  /** All moves of this world are known. */
  expanded(id: number, isAtRest: boolean): void;
  traceTo(id: number): readonly string[];
  /** Those from which work leads neither to rest nor to a world that is not expanded; the first found first. */
  neverAtRest(): readonly number[];
}

export function edgesOf(): Edges {
  const parents = [0];
  const says = [""];
  const sources: number[][] = [];
  const expanded = new Set<number>();
  const rests: number[] = [];

  return {
    found(id, from, words) {
      parents[id] = from;
      says[id] = words;
    },
    work(from, to) {
      (sources[to] ??= []).push(from);
    },
    expanded(id, isAtRest) {
      expanded.add(id);
      if (isAtRest) rests.push(id);
    },
    traceTo(id) {
      const trace: string[] = [];
      for (let at = id; at !== 0; at = parents[at] ?? 0) trace.unshift(says[at] ?? "");
      return trace;
    },
    neverAtRest() {
      const unknown = parents.keys().filter((id) => !expanded.has(id));
      const open = [...rests, ...unknown];
      const good = new Set(open);
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        for (const source of sources[id] ?? []) {
          if (good.has(source)) continue;
          good.add(source);
          open.push(source);
        }
      }
      return [...expanded].filter((id) => !good.has(id)).sort((a, b) => a - b);
    },
  };
}
