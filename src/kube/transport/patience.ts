/** What the server wants to be left alone with, and for how long: who comes next with the same wish waits as well. */
export interface Patience {
  /** The server asked for this time before the next request like this one. */
  readonly asked: (path: string, milliseconds: number) => void;
  /** What is left of it, in milliseconds. */
  readonly left: (path: string) => number;
}

export function patience(now: () => number = () => performance.now()): Patience {
  const until = new Map<string, number>();
  return {
    asked(path, milliseconds) {
      // Few, and only while the server is busy: nothing is kept of those whose time is over.
      for (const [other, end] of until) if (end <= now()) until.delete(other);
      until.set(objectIn(path), now() + milliseconds);
    },
    left: (path) => Math.max(0, (until.get(objectIn(path)) ?? 0) - now()),
  };
}

/** Its status is a part of it. */
function objectIn(path: string): string {
  return (path.split("?", 1)[0] ?? path).replace(/\/status$/, "");
}
