import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import type { Content } from "../content.ts";
import { refusalOf } from "./hindrance.ts";
import { bucketMetrics } from "./metrics.ts";
import { type Step, tableFor } from "./rules.ts";
import { type Heard, observe, type Seen } from "./seen.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";
import { bucketWatches, keyOfBucket, keyOfContent, uidIn } from "./watches.ts";

/** A Secret whose name is taken, or that is incomplete, is looked at again this often: nobody tells us of Secrets. */
const backoff = { firstMilliseconds: 500, longestMilliseconds: 60_000 } as const;

/** One loop over Buckets, from the first look to the last finalizer. */
export function bucketControllers(engine: Engine): readonly Controller[] {
  const watches = bucketWatches(engine.sources);
  const metrics = bucketMetrics(engine.registry, () => watches.buckets.values());
  const heard = new Map<string, Heard>();
  const eyes = { watches, begun: engine.clock.wall(), heard };
  const ofClass = (name: string) => watches.buckets.by("class", name).map(keyOfBucket);
  /** Whoever waits for its name to be free waits for it, too. */
  const ofContent = (content: Content) => [
    keyOfContent(content),
    ...watches.buckets.by("uid", uidIn(content)).map(keyOfBucket),
  ];
  const ofDriver = (name: string) => watches.contents.by("driver", name).map(keyOfContent);
  return [
    controllerOn<Seen, Step>(engine, {
      backoff,
      reconciler: {
        name: "buckets",
        observe: async (key, look) => observe(eyes, key, look),
        decide: (seen) => decide(tableFor(seen), seen),
        async act(step, seen, hand) {
          const reply = await act(step, seen, hand, heard);
          metrics.stepped(step, seen);
          return reply;
        },
        report,
        refusal: (_, __, problem) => refusalOf(problem),
        operationOf: ({ uid }) => uid,
      },
      triggers: [
        trigger(watches.buckets, (bucket) => [keyOfBucket(bucket)]),
        trigger(watches.contents, ofContent),
        trigger(watches.classes, ({ metadata }) => ofClass(metadata.name)),
        trigger(watches.registrations, ({ metadata }) => ofDriver(metadata.name)),
      ],
    }),
  ];
}
