import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom, record, sample } from "fast-check";
import {
  aBucket,
  aBucketSeen,
  aClass,
  aContent,
  aRegistration,
  begun,
  classFields,
  conditions,
  granted,
  held,
  leaving,
  made,
  now,
  secondsAgo,
} from "../../../test/fixture/bucket-seen.ts";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { decide, type Plan } from "../../runtime/table.ts";
import { type Content, hasBegun, holds } from "../content.ts";
import { providing, releasing, type Step, tableFor } from "./rules.ts";
import type { Seen } from "./seen.ts";

const free = { finalizers: [] } as const;
const told = { phase: "Bound", bucketContentName: "gold-x" } as const;
const old = { creationTimestamp: "2026-11-18T11:00:00Z" } as const;
const leavingLong = { ...old, deletionTimestamp: "2026-11-18T11:30:00Z" } as const;
const given = { ...granted, conditions: [...granted.conditions, ...conditions({ BucketLeaving: true })] };
const released = { ...given, conditions: [...given.conditions, ...conditions({ Released: true })] };
const refused = { ...begun, conditions: [...begun.conditions, ...conditions({ BucketReady: "DriverRefused" })] };

const statuses = [undefined, begun, refused, granted, given, released];
const placed = [
  { ...held },
  { ...held, ...old },
  { ...held, ...leaving },
  { ...held, ...leavingLong },
  { ...leaving, ...free },
];
const modes = ["Greenfield", "Brownfield", "Static"] as const;
const contents = modes.flatMap((mode) =>
  placed.flatMap((metadata) =>
    statuses.flatMap((status) =>
      (mode === "Greenfield" ? [{}, made] : [{}]).map(
        (spec): Content => aContent({ mode, metadata, spec, ...(status === undefined ? {} : { status }) }),
      ),
    ),
  ),
);

const undefinedClass = aClass({ provisioner: "s3.example.com", secretRef: classFields.Static.secretRef });
const heard = (renewed: number | undefined, asked: number) => ({
  of: "registration-uid",
  at: secondsAgo(asked),
  renewedAt: renewed === undefined ? undefined : secondsAgo(renewed),
});

const states = record<Seen>({
  uid: constantFrom(aBucketSeen().uid),
  bucket: constantFrom(
    undefined,
    ...[free, held, { ...held, ...leaving }, { ...free, ...leaving }].flatMap((metadata) => [
      aBucket({ metadata }),
      aBucket({ metadata, status: told }),
    ]),
  ),
  content: constantFrom(undefined, undefined, ...contents),
  namesake: constantFrom(undefined, aContent({ metadata: { uid: "another" } })),
  bucketClass: constantFrom(undefined, undefinedClass, aClass()),
  driver: constantFrom(undefined, aRegistration()),
  heard: constantFrom(undefined, heard(1, 40), heard(1, 1), heard(90, 1), heard(undefined, 1)),
  publishedAt: constantFrom(undefined, secondsAgo(10), secondsAgo(601)),
  secretIsGone: constantFrom(true, false),
  now: constantFrom(now),
}).filter(({ bucket, content }) => bucket !== undefined || content !== undefined);

const everything = sample(states, { numRuns: 60_000, seed: 7 });
const tables = { providing, releasing };

for (const [name, table] of Object.entries(tables)) {
  const own = everything.filter((seen) => tableFor(seen) === table);
  tableTests({ name, table, states: constantFrom(...own) });
}

const goes = aBucket({ metadata: { ...held, ...leaving } });
const isGoing = { ...held, ...leaving };
const doing = (step: Step): Plan<Step> => ({ do: "step", step });
const because = (seen: Partial<Seen>) => {
  const state = aBucketSeen(seen);
  return decide(tableFor(state), state).plan;
};

const cases: readonly (readonly [says: string, seen: Partial<Seen>, plan: Step])[] = [
  ["a Bucket is held before anything is made for it", { bucket: aBucket() }, "hold-bucket"],
  ["it is held also when its class is not there yet", { bucket: aBucket(), bucketClass: undefined }, "hold-bucket"],
  ["its content comes next", {}, "make-content"],
  [
    "nobody but us looks at the Secret of a static class",
    { content: aContent({ mode: "Static" }) },
    "check-static-secret",
  ],
  ["what is ready is published", { content: aContent({ spec: made, status: granted }) }, "publish-secret"],
  [
    "a Secret that was published long ago is looked at again",
    { content: aContent({ spec: made, status: granted }), publishedAt: secondsAgo(600) },
    "publish-secret",
  ],
  [
    "somebody who waits for long asks whether the driver lives",
    { content: aContent({ metadata: old, status: begun }) },
    "look-for-driver",
  ],
  ["and asks again", { content: aContent({ metadata: old, status: begun }), heard: heard(31, 31) }, "look-for-driver"],
  [
    "a bound Bucket does not wait for its driver",
    { content: aContent({ metadata: old, spec: made, status: granted }), publishedAt: secondsAgo(601) },
    "publish-secret",
  ],
  [
    "a Bucket that goes takes its content along",
    { bucket: goes, content: aContent({ status: granted }) },
    "delete-content",
  ],
  ["a content without a Bucket goes", { bucket: undefined, content: aContent({ status: granted }) }, "delete-content"],
  [
    "with which nobody has begun, nobody has anything to take back",
    { bucket: goes, content: aContent({ metadata: isGoing }) },
    "release-content",
  ],
  [
    "the keys of an administrator are nobody's to take back",
    { bucket: goes, content: aContent({ mode: "Static", metadata: isGoing, status: granted }) },
    "release-content",
  ],
  [
    "the driver is told that the Bucket goes",
    { bucket: goes, content: aContent({ metadata: isGoing, spec: made, status: granted }) },
    "tell-driver",
  ],
  [
    "a content that somebody deletes serves its Bucket on",
    { content: aContent({ metadata: isGoing, spec: made, status: granted }) },
    "publish-secret",
  ],
  [
    "also the content of a static class",
    { content: aContent({ mode: "Static", metadata: isGoing }) },
    "check-static-secret",
  ],
  [
    "unless nobody has begun with it: then there will be another one",
    { content: aContent({ metadata: isGoing }) },
    "release-content",
  ],
  [
    "a content that was begun under another uid was not begun",
    { bucket: goes, content: aContent({ metadata: { ...isGoing, uid: "restored" }, spec: made, status: granted }) },
    "release-content",
  ],
  [
    "what is released is let go",
    { bucket: goes, content: aContent({ metadata: isGoing, spec: made, status: released }) },
    "let-content-go",
  ],
  ["then the Secret goes", { bucket: goes }, "remove-secret"],
  ["then the Bucket", { bucket: goes, secretIsGone: true }, "let-bucket-go"],
];

for (const [says, seen, step] of cases) test(says, () => deepEqual(because(seen), doing(step)));

const waits: readonly (readonly [says: string, seen: Partial<Seen>, why: string, detail: RegExp])[] = [
  [
    "a content of another Bucket under its name is told by its name",
    { namesake: aContent({ metadata: { uid: "another" } }) },
    "ContentTaken",
    /BucketContent gold-0b5a/,
  ],
  [
    "a class that is not there is told by its name",
    { bucketClass: undefined },
    "BucketClassMissing",
    /BucketClass gold/,
  ],
  [
    "a class that means nothing is told in the words of its rule",
    { bucketClass: undefinedClass },
    "BucketClassUndefined",
    /gold cannot be used: A class needs either/,
  ],
  [
    "a content that is gone is not made again",
    { bucket: aBucket({ metadata: held, status: told }) },
    "ContentLost",
    /BucketContent gold-x is gone/,
  ],
  [
    "a driver that is not there is told by its name",
    { driver: undefined, content: aContent() },
    "DriverMissing",
    /s3\.example\.com/,
  ],
  [
    "a driver that is silent is told by its name",
    { content: aContent({ metadata: old }), heard: heard(62, 1) },
    "DriverSilent",
    /s3\.example\.com/,
  ],
  [
    "a driver without a holder of its Lease is silent, too",
    {
      bucket: goes,
      content: aContent({ metadata: { ...held, ...leavingLong }, status: given }),
      heard: heard(undefined, 1),
    },
    "DriverSilent",
    /s3\.example\.com/,
  ],
  [
    "what its sidecar has told is told in its words",
    {
      content: aContent({
        status: { ...begun, conditions: conditions({ BucketReady: "DriverRefused" }, "The driver says: no.") },
      }),
    },
    "DriverRefused",
    /^The driver says: no\.$/,
  ],
];

for (const [says, seen, why, detail] of waits)
  test(says, () => {
    const plan = because(seen);
    ok(plan.do === "wait" || plan.do === "refuse");
    deepEqual([plan.why, detail.test(plan.detail ?? "")], [why, true]);
  });

test("a reason that a newer sidecar gives and nobody here knows is told as waiting", () => {
  const status = { ...begun, conditions: conditions({ BucketReady: "NewWord" }) };
  const plan = because({ content: aContent({ status }) });
  deepEqual(plan.do === "wait" && plan.why, "BucketPending");
});

test("it is looked for the driver as soon as the wait has become a long one", () => {
  const plan = because({ content: aContent({ status: begun }) });
  deepEqual(plan.do === "wait" && plan.recheckSeconds, 10);
});

/** Everything in which the table takes this step. */
const taken = (step: Step) =>
  everything.filter((seen) => {
    const { plan } = decide(tableFor(seen), seen);
    return plan.do === "step" && plan.step === step;
  });

function never(says: string, step: Step, isWrong: (seen: Seen) => boolean): void {
  test(says, () => {
    const found = taken(step);
    ok(found.length > 0, `"${step}" is taken somewhere`);
    deepEqual(found.find(isWrong), undefined);
  });
}

const isHeld = (object: Seen["bucket"] | Seen["content"]) => (object?.metadata.finalizers ?? []).length > 0;
const stays = ({ bucket: one }: Seen) => one !== undefined && one.metadata.deletionTimestamp === undefined;

never("nothing is made for a Bucket that could go unnoticed", "make-content", ({ bucket: one }) => !isHeld(one));
never("no second content is made", "make-content", (s) => s.content !== undefined || s.namesake !== undefined);
never("no content is made for a Bucket that goes", "make-content", (s) => !stays(s));
never(
  "no content is made for a Bucket that had one",
  "make-content",
  (s) => s.bucket?.status?.bucketContentName !== undefined,
);
never(
  "nothing is published before its keys are granted",
  "publish-secret",
  ({ content }) => content === undefined || !holds(content, "AccessGranted"),
);
never("no content of a Bucket that stays is deleted", "delete-content", stays);
never("a driver is told that a Bucket goes only when it goes", "tell-driver", stays);
never(
  "what a driver has begun only its sidecar releases",
  "release-content",
  ({ content }) => content !== undefined && content.spec.mode !== "Static" && hasBegun(content),
);
never(
  "no content is let go before it is released",
  "let-content-go",
  ({ content }) => content === undefined || !holds(content, "Released"),
);
never("no Secret is removed while keys may be good", "remove-secret", ({ content }) => content !== undefined);
never("no Secret of a Bucket that stays is removed", "remove-secret", stays);
never(
  "no Bucket is let go before its content and its Secret",
  "let-bucket-go",
  (s) => s.content !== undefined || !s.secretIsGone || stays(s),
);
