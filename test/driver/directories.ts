import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** A directory that is there with all its files or not at all; one that a kill left behind is replaced. */
export function makeWhole(path: string, copyOf?: string): void {
  const half = `${path}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(dirname(half), { recursive: true });
  if (copyOf === undefined) mkdirSync(half);
  else cpSync(copyOf, half, { recursive: true, preserveTimestamps: true });
  rmSync(path, { recursive: true, force: true });
  renameSync(half, path);
}

export function removeWhole(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
