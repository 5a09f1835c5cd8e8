import type { Clock } from "../clock.ts";

/** Which object an event is about. Without a namespace it is one of the cluster. */
export interface About {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

export interface Telling {
  readonly about: About;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** What was done, or what is to be done, in a word. */
  readonly action?: string;
}

/** One Event on the server, as far as it is known how often it was told. */
export interface Known {
  /** Its name on the server, the same each time it is told. */
  readonly name: string;
  readonly first: Date;
  count: number;
  last: Date;
  lastAt: number;
  /** It is on the server, so that telling it again is an update. */
  isStored: boolean;
}

const sameWithinMilliseconds = 10 * 60_000;
const burst = 25;
const oneMoreEveryMilliseconds = 5 * 60_000;
/** Objects come and go; whoever was not told of for longest is forgotten first. */
const mostKnown = 4096;

export interface Correlator {
  /** Answers the Event to write, or undefined when there are too many about this object. */
  correlate(telling: Telling): Known | undefined;
}

/** The same thing told again is counted, and one object cannot flood the others. */
export function correlator(clock: Clock, newName: (about: About) => string): Correlator {
  const known = new Map<string, Known>();
  const allowances = new Map<string, { tokens: number; asOf: number }>();

  function seen(telling: Telling): Known {
    const { about, type, reason, message } = telling;
    const key = JSON.stringify([about.uid, about.name, type, reason, message]);
    const now = clock.now();
    const last = known.get(key);
    const isSame = last !== undefined && now - last.lastAt < sameWithinMilliseconds;
    const event: Known = isSame
      ? last
      : { name: newName(about), first: clock.wall(), count: 0, last: clock.wall(), lastAt: now, isStored: false };
    event.count++;
    event.last = clock.wall();
    event.lastAt = now;
    remember(known, key, event);
    return event;
  }

  function isAllowed({ uid, kind, namespace, name }: About): boolean {
    const key = JSON.stringify([uid, kind, namespace, name]);
    const now = clock.now();
    const { tokens, asOf } = allowances.get(key) ?? { tokens: burst, asOf: now };
    const left = Math.min(burst, tokens + (now - asOf) / oneMoreEveryMilliseconds);
    const isEnough = left >= 1;
    remember(allowances, key, { tokens: isEnough ? left - 1 : left, asOf: now });
    return isEnough;
  }

  return {
    correlate(telling) {
      // Counted even when it is not written: the next one that is tells the whole number.
      const event = seen(telling);
      return isAllowed(telling.about) ? event : undefined;
    },
  };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostKnown) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
