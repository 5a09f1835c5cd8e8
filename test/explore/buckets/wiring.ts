import { bucketContents } from "../../../src/api/gen/cosi.ts";
import type { Content } from "../../../src/buckets/content.ts";
import { refusalOf } from "../../../src/buckets/controller/hindrance.ts";
import {
  type Step as BucketStep,
  providing,
  releasing,
  tableFor as tableForBucket,
} from "../../../src/buckets/controller/rules.ts";
import { type Seen as BucketSeen, observe as observeBucket } from "../../../src/buckets/controller/seen.ts";
import { report as reportBucket } from "../../../src/buckets/controller/status.ts";
import { act as actOnBucket } from "../../../src/buckets/controller/steps.ts";
import { bucketWatches, keyOfBucket, keyOfContent, type Watches } from "../../../src/buckets/controller/watches.ts";
import type { DriverFacts } from "../../../src/buckets/sidecar/driver-facts.ts";
import {
  type Step as ContentStep,
  granting,
  revoking,
  tableFor as tableForContent,
} from "../../../src/buckets/sidecar/rules.ts";
import { type Seen as ContentSeen, keyOf, observe as observeContent } from "../../../src/buckets/sidecar/seen.ts";
import { report as reportContent } from "../../../src/buckets/sidecar/status.ts";
import { act as actOnContent } from "../../../src/buckets/sidecar/steps.ts";
import type { Client } from "../../../src/kube/client.ts";
import { bare } from "../../../src/runtime/bare.ts";
import type { Look, Reconciler } from "../../../src/runtime/reconciler.ts";
import type { Sources } from "../../../src/runtime/sources.ts";
import { decide, type Table } from "../../../src/runtime/table.ts";
import type { Wiring } from "../controllers.ts";
import { type Controlled, controlled } from "../turns.ts";
import { driverOn } from "./store.ts";

export interface Planted {
  /** A row of any of the tables that is not there. */
  readonly without?: string;
  readonly driver: DriverFacts;
}

/** The namespace of the sidecar and its Secrets. */
export const home = "driver";
const begun = new Date(Date.UTC(2026, 0, 1));

export function wiring({ without, driver }: Planted): Wiring {
  const remaining = <Seen, Steps extends string>(table: Table<Seen, Steps>) =>
    table.filter(([says]) => says !== without);
  return (sources: Sources) => {
    const watches = bucketWatches(sources);
    const eyes = { watches, begun, heard: new Map() };
    const contents = sources.watch(bucketContents, { project: bare }).cache;
    const contentEyes = { contents, driver, isRegistered: () => true, era: () => 0 };
    const bucketLoop = byPlace<BucketSeen, BucketStep>(
      {
        name: "buckets",
        observe: async (key, look) => observeBucket(eyes, key, look),
        decide: (seen) => decide(remaining(tableForBucket(seen)), seen),
        act: (step, seen, hand) => actOnBucket(step, seen, hand, eyes.heard),
        report: reportBucket,
        refusal: (_, __, problem) => refusalOf(problem),
      },
      (place) => keyAt(watches, place),
    );
    const contentLoop = (store: Client) =>
      byPlace<ContentSeen, ContentStep>(
        {
          name: "contents",
          observe: async (key, look) => impatient(observeContent(contentEyes, key, look)),
          decide: (seen) => decide(remaining(tableForContent(seen)), seen),
          act: (step, seen, hand) => actOnContent(step, seen, hand, toolsOn(store, driver)),
          report: reportContent,
        },
        (place) => at(inOrder(contents.values()).map(keyOf), place),
      );
    return [
      controlled(bucketLoop, {
        keys: places,
        tables: [providing, releasing].map((table) => remaining(table)),
      }),
      withStore((store) =>
        controlled(contentLoop(store), {
          keys: places,
          tables: [granting, revoking].map((table) => remaining(table)),
        }),
      ),
    ];
  };
}

/** Keys have uids in them, and nobody knows those beforehand: the first one of a kind, and the second. */
const places = ["1", "2"];

function inOrder(contents: Iterable<Content>): readonly Content[] {
  const age = ({ metadata }: Content) => Number(metadata.uid.replace("uid-", ""));
  return [...contents].sort((a, b) => age(a) - age(b));
}

function keyAt(watches: Watches, place: string): string | undefined {
  const ofContents = inOrder(watches.contents.values()).map(keyOfContent);
  const ofBuckets = [...watches.buckets.values()].map(keyOfBucket);
  return at([...new Set([...ofContents, ...ofBuckets])], place);
}

function at(keys: readonly string[], place: string): string | undefined {
  return keys[Number(place) - 1];
}

interface Remembered {
  readonly key: string | undefined;
  readonly reply: unknown;
}

/** What is remembered of one key is nothing to the next one in its place. */
function byPlace<Seen, Step extends string>(
  reconciler: Reconciler<Seen, Step>,
  keyAt: (place: string) => string | undefined,
): Reconciler<Seen, Step> {
  let key: string | undefined;
  return {
    ...reconciler,
    async observe(place: string, { now, reply }: Look) {
      key = keyAt(place);
      const last = reply as Remembered | undefined;
      return key === undefined
        ? undefined
        : await reconciler.observe(key, { now, reply: last?.key === key ? last.reply : undefined });
    },
    async act(step, seen, hand) {
      const reply = await reconciler.act(step, seen, hand);
      return { key, reply } satisfies Remembered;
    },
  };
}

/** As much time passes as it takes to try again. */
function impatient(seen: ContentSeen | undefined): ContentSeen | undefined {
  if (seen?.progress.failed === undefined) return seen;
  return { ...seen, progress: { ...seen.progress, failed: { ...seen.progress.failed, at: new Date(0) } } };
}

function toolsOn(store: Client, facts: DriverFacts) {
  const acquaintance = { confirm: () => Promise.resolve(), doubt: () => undefined, lost: () => undefined };
  return { calls: driverOn(store), call: {}, facts, acquaintance, home, called: () => undefined };
}

/** The driver's world is the server's, so that its answers are lost like all others. */
function withStore(make: (store: Client) => Controlled): Controlled {
  const never = new Proxy({}, { get: () => () => Promise.reject(new Error("nobody has a store yet")) }) as Client;
  return { ...make(never), turn: (key, memory, options) => make(options.client).turn(key, memory, options) };
}
