import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { constantFrom, record, sample } from "fast-check";
import {
  ableDriver,
  aContent,
  aContentSeen,
  account,
  begun,
  conditions,
  granted,
  held,
  leaving,
  made,
  now,
  secondsAgo,
  sourceSecret,
} from "../../../test/fixture/bucket-seen.ts";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { decide, type Plan } from "../../runtime/table.ts";
import { type Content, hasBegun, holds } from "../content.ts";
import type { Access } from "./answers.ts";
import { granting, revoking, type Step, secondsToRetry, tableFor } from "./rules.ts";
import { circumstancesOf, type Failed, type Progress, type Seen } from "./seen.ts";

const endpoint = { url: "https://store", region: "", protocol: "s3", bucketName: "b", pathStyle: true };
const access: Access = { accountID: "AK1", endpoint, credentials: { accessKeyID: "AK1", accessSecretKey: "shh" } };
const bucket = { id: "b" };

const given = { ...granted, conditions: [...granted.conditions, ...conditions({ BucketLeaving: true })] };
const givenEarly = { ...begun, conditions: [...begun.conditions, ...conditions({ BucketLeaving: true })] };
const released = { ...given, conditions: [...given.conditions, ...conditions({ Released: true })] };
/** The status of another content, as a back-up would bring it. */
const others = { ...granted, accounts: [{ name: "ba-of-another-g0", state: "Granted", id: "AK9" } as const] };

const contents = (["Greenfield", "Retained", "Brownfield"] as const).flatMap((mode) =>
  [held, { ...held, ...leaving }].flatMap((metadata) =>
    [undefined, begun, granted, givenEarly, given, released, others].flatMap((status) =>
      [{}, { bucketIdentifier: "b" }, made, { secretRef: sourceSecret }, { accessModes: ["ro" as const] }].map(
        (spec): Content => aContent({ mode, metadata, spec, ...(status === undefined ? {} : { status }) }),
      ),
    ),
  ),
);

const noFrom = (content: Content, more: Partial<Failed> = {}): Failed => ({
  why: "DriverRefused",
  message: "The driver says: no.",
  times: 1,
  at: secondsAgo(1),
  circumstances: circumstancesOf({ content, era: 0 }),
  ...more,
});

const progresses: readonly Progress[] = [
  {},
  { hasBegun: true },
  { hasBegun: true, bucket },
  { bucket, access },
  { bucket, access, secretIsStored: true },
  { isRevoked: true },
  { isRevoked: true, isDeleted: true },
  { isRevoked: true, isDeleted: true, secretIsGone: true },
];

const states = record({
  content: constantFrom(...contents),
  driver: constantFrom(ableDriver, { ...ableDriver, limitsAccess: false }),
  isRegistered: constantFrom(true, true, true, false),
  progress: constantFrom(...progresses),
  failed: constantFrom("no", "now", "long ago", "elsewhere"),
  era: constantFrom(0),
  now: constantFrom(now),
}).map(({ failed, ...seen }): Seen => {
  const found: Readonly<Record<string, Failed | undefined>> = {
    now: noFrom(seen.content),
    "long ago": noFrom(seen.content, { at: secondsAgo(601) }),
    elsewhere: noFrom(seen.content, { circumstances: "of another life" }),
  };
  const one = found[failed];
  return one === undefined ? seen : { ...seen, progress: { ...seen.progress, failed: one } };
});

const everything = sample(states, { numRuns: 60_000, seed: 7 });
const tables = { granting, revoking };

for (const [name, table] of Object.entries(tables)) {
  const own = everything.filter((seen) => tableFor(seen) === table);
  tableTests({ name, table, states: constantFrom(...own) });
}

const because = (seen: Partial<Seen>) => {
  const state = aContentSeen(seen);
  return decide(tableFor(state), state).plan;
};
const doing = (step: Step): Plan<Step> => ({ do: "step", step });
const gone = { ...held, ...leaving };

const cases: readonly (readonly [says: string, seen: Partial<Seen>, step: Step])[] = [
  ["it is written down that it begins, before anything else", {}, "record-start"],
  ["a new bucket is made", { content: aContent({ status: begun }) }, "create-bucket"],
  [
    "a bucket that was there before is never made",
    { content: aContent({ mode: "Brownfield", status: begun }) },
    "grant-access",
  ],
  ["then its keys are granted", { content: aContent({ status: begun }), progress: { bucket } }, "grant-access"],
  [
    "keys that came with the bucket are not granted again",
    { content: aContent({ status: begun }), progress: { bucket, access } },
    "store-secret",
  ],
  [
    "after a restart the bucket is asked for again, by the same name",
    { content: aContent({ status: begun }), progress: {} },
    "create-bucket",
  ],
  [
    "a bucket whose id is known is not asked for again",
    { content: aContent({ status: begun, spec: { bucketIdentifier: "b" } }) },
    "grant-access",
  ],
  [
    "the content points at a Secret that is stored",
    { content: aContent({ status: begun }), progress: { bucket, access, secretIsStored: true } },
    "point-at-secret",
  ],
  [
    "an account whose id was lost is granted again, which answers the same",
    { content: aContent({ status: begun, spec: made }) },
    "grant-access",
  ],
  [
    "a driver that can do less by now still takes back what it gave",
    {
      content: aContent({ metadata: gone, status: given, spec: { ...made, accessModes: ["ro"] } }),
      driver: { ...ableDriver, limitsAccess: false },
    },
    "revoke-access",
  ],
  [
    "what may have been granted is revoked, though nobody knows its id",
    { content: aContent({ metadata: gone, status: givenEarly }) },
    "revoke-access",
  ],
  [
    "the bucket goes after its keys",
    { content: aContent({ metadata: gone, status: given, spec: made }), progress: { isRevoked: true } },
    "delete-bucket",
  ],
  [
    "a bucket that is kept stays",
    {
      content: aContent({ mode: "Retained", metadata: gone, status: given, spec: made }),
      progress: { isRevoked: true },
    },
    "remove-secret",
  ],
  [
    "unless nobody ever had a key to it",
    { content: aContent({ mode: "Retained", metadata: gone, status: givenEarly }), progress: { isRevoked: true } },
    "delete-bucket",
  ],
  [
    "a bucket that was there before stays, whatever its content says",
    {
      content: aContent({ mode: "Brownfield", metadata: gone, status: given, spec: { releasePolicy: "Delete" } }),
      progress: { isRevoked: true },
    },
    "remove-secret",
  ],
  [
    "what was refused for the making holds nothing back in the end",
    {
      content: aContent({ metadata: gone, status: givenEarly }),
      progress: { failed: noFrom(aContent({ status: begun })) },
    },
    "revoke-access",
  ],
  [
    "what was refused before the policy was changed is asked again",
    {
      content: aContent({ mode: "Retained", metadata: { ...gone, generation: 2 }, status: given, spec: made }),
      progress: {
        isRevoked: true,
        failed: noFrom(aContent({ metadata: gone, status: given, spec: made })),
      },
    },
    "remove-secret",
  ],
  [
    "what was refused before the driver was lost is asked again",
    { content: aContent({ status: begun }), progress: { failed: noFrom(aContent({ status: begun })) }, era: 1 },
    "create-bucket",
  ],
  [
    "a content that somebody deletes is served on while its Bucket stays",
    { content: aContent({ metadata: gone, status: begun }) },
    "create-bucket",
  ],
];

for (const [says, seen, step] of cases) test(says, () => deepEqual(because(seen), doing(step)));

const idle: readonly (readonly [says: string, seen: Partial<Seen>])[] = [
  ["a content that goes and was not begun is left to the controller", { content: aContent({ metadata: gone }) }],
  ["one that is released, too", { content: aContent({ metadata: gone, status: released }) }],
  ["one that was begun under another uid, too", { content: aContent({ metadata: gone, status: others, spec: made }) }],
  ["one that is ready is left alone", { content: aContent({ status: granted, spec: made }) }],
];

for (const [says, seen] of idle) test(says, () => deepEqual(because(seen), { do: "rest" }));

const foreign: readonly (readonly [says: string, content: Content])[] = [
  ["a bucket that nobody here has made", aContent({ spec: { bucketIdentifier: "the-payroll" } })],
  ["a Secret that nobody here has made", aContent({ spec: { secretRef: { namespace: "kube-system", name: "root" } } })],
  ["the status of another content", aContent({ spec: made, status: others })],
  ["the keys to a bucket that was there before", aContent({ mode: "Brownfield", spec: { secretRef: sourceSecret } })],
];

for (const [says, content] of foreign)
  test(`a content that comes with ${says} is refused, and nobody is asked for anything`, () => {
    deepEqual(because({ content }), { do: "refuse", why: "ContentForeign" });
  });

test("without the driver's name nothing is done", () => {
  const done = everything.filter(({ isRegistered }) => !isRegistered).map((seen) => decide(tableFor(seen), seen).plan);
  deepEqual(new Set(done.map((plan) => (plan.do === "wait" ? plan.why : plan.do))), new Set(["NotRegistered"]));
});

test("what may pass is tried slower and slower up to a minute, and what will not, every ten minutes", () => {
  const at = (why: Failed["why"], times: number) =>
    secondsToRetry({ why, times, message: "", at: now, circumstances: "" }, now);
  deepEqual(
    [1, 2, 3, 7, 8, 50].map((times) => at("DriverRetried", times)),
    [0.5, 1, 2, 32, 60, 60],
  );
  equal(at("DriverKeepsFailing", 13), 60);
  for (const why of ["DriverRefused", "AnswerUnfit", "SourceSecretUnfit"] as const) equal(at(why, 1), 600);
});

const taken = (step: Step) =>
  everything.filter((seen) => {
    const { plan } = decide(tableFor(seen), seen);
    return plan.do === "step" && plan.step === step;
  });

function never(says: string, steps: readonly Step[], isWrong: (seen: Seen) => boolean): void {
  test(says, () => {
    for (const step of steps) {
      const found = taken(step);
      ok(found.length > 0, `"${step}" is taken somewhere`);
      deepEqual(found.find(isWrong), undefined);
    }
  });
}

const calls = ["create-bucket", "grant-access", "revoke-access", "delete-bucket"] as const;
const isGoing = ({ content }: Seen) => content.metadata.deletionTimestamp !== undefined;
const bucketGoes = ({ content }: Seen) => isGoing({ content } as Seen) && holds(content, "BucketLeaving");

never("no driver is asked for what nobody has written down", calls, ({ content }) => !hasBegun(content));
never(
  "the account that is granted is written down",
  ["create-bucket", "grant-access"],
  ({ content }) => content.status?.accounts?.some(({ name }) => name === account) !== true,
);
never(
  "nothing is taken back while the Bucket stays",
  ["revoke-access", "delete-bucket", "remove-secret"],
  (s) => !bucketGoes(s),
);
never("nothing is given when the Bucket goes", ["create-bucket", "grant-access", "point-at-secret"], bucketGoes);
never("no bucket goes before its keys", ["delete-bucket"], ({ progress }) => progress.isRevoked !== true);
never("no bucket goes that was there before", ["delete-bucket"], ({ content }) => content.spec.mode !== "Greenfield");
never(
  "no bucket goes that somebody may have used and that is to be kept",
  ["delete-bucket"],
  ({ content }) => content.spec.releasePolicy === "Retain" && content.spec.secretRef !== undefined,
);
never(
  "nobody is told of an end before it is one",
  ["tell-release"],
  ({ progress }) => progress.isRevoked !== true || progress.secretIsGone !== true,
);
never(
  "no driver is asked for a bucket whose id is known",
  ["create-bucket"],
  ({ content }) => content.spec.bucketIdentifier !== undefined,
);
