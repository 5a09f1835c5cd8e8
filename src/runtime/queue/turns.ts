/**
 * Whose turn it is: keys wait in the lane of their namespace, and the lanes are served in turn, so that one tenant's
 * thousands of keys cost another tenant's one key no more than a single turn.
 */
export interface Turns {
  readonly size: number;
  add(key: string): void;
  /** The next key whose lane may run now; undefined when there is none. */
  take(mayRun: (lane: string) => boolean): string | undefined;
  drop(key: string): void;
}

export function laneOf(key: string): string {
  const slash = key.indexOf("/");
  return slash < 0 ? "" : key.slice(0, slash);
}

export function turns(): Turns {
  // Sets and Maps keep the order of insertion: the first lane and its first key are next.
  const lanes = new Map<string, Set<string>>();
  let size = 0;

  function remove(lane: string, keys: Set<string>, key: string): void {
    if (!keys.delete(key)) return;
    size--;
    if (keys.size === 0) lanes.delete(lane);
  }

  return {
    get size() {
      return size;
    },
    add(key) {
      const lane = laneOf(key);
      const keys = lanes.get(lane) ?? new Set();
      if (keys.has(key)) return;
      keys.add(key);
      size++;
      lanes.set(lane, keys);
    },
    take(mayRun) {
      for (const [lane, keys] of lanes) {
        if (!mayRun(lane)) continue;
        const [key = ""] = keys;
        remove(lane, keys, key);
        // To the end of the line, behind the lanes that are still waiting for their turn.
        if (keys.size > 0) {
          lanes.delete(lane);
          lanes.set(lane, keys);
        }
        return key;
      }
      return undefined;
    },
    drop(key) {
      const lane = laneOf(key);
      const keys = lanes.get(lane);
      if (keys !== undefined) remove(lane, keys, key);
    },
  };
}
