import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What a driver has, in a file that is always whole: SIGKILL at any moment leaves the state before or after a change. */
export interface Inventory<T> {
  read(): T;
  /** Changes are made one after another and are in the file when this returns. */
  change(how: (draft: T) => void): void;
}

export function inventoryIn<T>(path: string, empty: T): Inventory<T> {
  mkdirSync(dirname(path), { recursive: true });
  let text = textIn(path) ?? JSON.stringify(empty);
  return {
    read: () => JSON.parse(text) as T,
    change(how) {
      const draft = JSON.parse(text) as T;
      how(draft);
      text = JSON.stringify(draft, null, 1);
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
  };
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw problem;
  }
}

/** A call that no correct caller makes. The driver answers as the specification says; tests read this and fail. */
export interface Misuse {
  readonly method: string;
  readonly of: string;
  readonly says: string;
}
