import type { Beside } from "../../driver/beside.ts";
import type { Daemon } from "../../fixture/daemon.ts";
import type { Scope } from "../../fixture/portway.ts";
import type { Keys } from "../keys.ts";
import type { TestStore } from "../store.ts";

/** All that a store has. */
export interface Held {
  readonly buckets: readonly { readonly name: string; readonly objects: number }[];
  /** Whoever has keys to something. */
  readonly accounts: readonly string[];
}

/** A driver beside the process under test, and the store behind it. */
export interface Keeper {
  readonly name: string;
  readonly socket: string;
  /** As whoever owns the store sees it. */
  held(): Promise<Held>;
  /** Whether the store itself lets somebody with these keys in. */
  opens(keys: Keys): Promise<boolean>;
  /** As a tenant's program does it. */
  put(keys: Keys): Promise<void>;
  /** One that was there before, with something in it. Answers how a class names it. */
  makeBucket(name: string): Promise<string>;
  /** As an administrator does it, with whatever is in it. */
  removeBucket(name: string): Promise<void>;
  /** Absent where nothing is planned and nothing is written down. */
  readonly scripted?: Beside;
  readonly real?: RealParts;
}

/** The driver that ships, on a real store. */
export interface RealParts {
  readonly store: TestStore;
  readonly driver: Daemon;
  /** The same driver with a root key that the store does not know. */
  readonly mistaken: Daemon;
}

/** What tenants put into their buckets. */
export const bytes = { key: "bytes", text: "what somebody has put there" } as const;

/** What begins with a flow ends with it. */
export function scopeOf(undo: AsyncDisposableStack): Scope {
  return { after: (end) => undo.defer(async () => void (await end())) };
}
