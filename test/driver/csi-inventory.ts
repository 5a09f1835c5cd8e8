import { join } from "node:path";
import { type Inventory, inventoryIn, type Misuse } from "./inventory.ts";

export interface StoredVolume {
  readonly id: string;
  readonly name: string;
  /** Sizes are text, because JSON has no 64-bit numbers. */
  bytes: string;
  /** The request that made it, without secrets: the same name with another request is a mistake of the caller. */
  readonly request: string;
  readonly parameters: Readonly<Record<string, string>>;
  mutableParameters: Readonly<Record<string, string>>;
  readonly source?: { readonly snapshot: string } | { readonly volume: string };
  readonly topology: readonly Readonly<Record<string, string>>[];
  /** Node ids, each with how it was published. */
  readonly published: Record<string, string>;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly name: string;
  readonly bytes: string;
  readonly volume: string;
  readonly request: string;
  /** In seconds since 1970. */
  readonly created: number;
}

export interface CsiInventory {
  readonly v: 1;
  /** The number of the next id. It moves only together with the thing that got it, so a kill leaves no half id. */
  next: number;
  readonly volumes: Record<string, StoredVolume>;
  readonly snapshots: Record<string, StoredSnapshot>;
  /** What is gone, in the order of going. */
  readonly deleted: { readonly id: string; readonly name: string }[];
  readonly misuse: Misuse[];
}

/** The file for tests that look while the driver runs, or after its end. */
export function csiInventory(state: string): Inventory<CsiInventory> {
  return inventoryIn<CsiInventory>(join(state, "inventory.json"), {
    v: 1,
    next: 1,
    volumes: {},
    snapshots: {},
    deleted: [],
    misuse: [],
  });
}

export function volumeDirectory(state: string, id: string): string {
  return join(state, "volumes", id);
}

export function snapshotDirectory(state: string, id: string): string {
  return join(state, "snapshots", id);
}
