import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import {
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
} from "../../../test/fixture/bucket-seen.ts";
import type { BucketContentStatus } from "../../api/gen/cosi.ts";
import { isNews, type Written } from "../../runtime/report.ts";
import { decide } from "../../runtime/table.ts";
import type { Access } from "./answers.ts";
import { tableFor } from "./rules.ts";
import { circumstancesOf, type Failed, type Seen } from "./seen.ts";
import { releasedStatus, report, startedStatus } from "./status.ts";

const endpoint = { url: "https://store", region: "eu", protocol: "s3", bucketName: "b", pathStyle: true };
const access: Access = { accountID: "AK1", endpoint, credentials: { accessKeyID: "AK1", accessSecretKey: "hunter2" } };

const reports = (seen: Seen) => report(seen, decide(tableFor(seen), seen));
function told(seen: Seen) {
  const [found] = reports(seen) as readonly (Written & { readonly status: BucketContentStatus })[];
  ok(found !== undefined, "something is told");
  return { status: found.status, note: found.note, isNews: isNews(found) };
}
const conditionOf = ({ conditions: all = [] }: BucketContentStatus, wanted: string) =>
  all.find(({ type }) => type === wanted);

const failed = (content: Seen["content"], why: Failed["why"] = "DriverRefused"): Failed => ({
  why,
  message: "The driver says: no.",
  times: 1,
  at: now,
  circumstances: circumstancesOf({ content, era: 0 }),
});
const gone = { ...held, ...leaving };
const givenUp = { ...granted, conditions: [...granted.conditions, ...conditions({ BucketLeaving: true })] };

test("before anything is asked, the account is written down", () => {
  const status = startedStatus(aContent({ metadata: { generation: 4 } }), account, now);
  deepEqual(
    [status.phase, status.accounts, status.observedGeneration],
    ["Pending", [{ name: account, state: "Pending" }], 4],
  );
  equal(conditionOf(status, "ProvisioningStarted")?.status, "True");
});

test("an account that is written down already is not forgotten", () => {
  const older = { name: "ba-before-g0", state: "Granted", id: "AK0" } as const;
  const content = aContent({ status: { accounts: [older] } });
  deepEqual(startedStatus(content, account, now).accounts, [older, { name: account, state: "Pending" }]);
  const status = { ...begun, accounts: [older, ...begun.accounts] };
  const seen = aContentSeen({ content: aContent({ spec: made, status }), progress: { access } });
  deepEqual(told(seen).status.accounts, [older, { name: account, state: "Granted", id: "AK1" }]);
});

test("what is ready says so, with its account and its place, and without a key", () => {
  const { status, note } = told(
    aContentSeen({ content: aContent({ spec: made, status: begun }), progress: { access } }),
  );
  deepEqual(
    [status.phase, status.accountID, status.endpoint, status.observedGeneration],
    ["Ready", "AK1", endpoint, 1],
  );
  deepEqual(
    ["BucketReady", "AccessGranted"].map((type) => conditionOf(status, type)?.status),
    ["True", "True"],
  );
  deepEqual([note?.type, note?.reason], ["Normal", "BucketReady"]);
  equal(JSON.stringify(status).includes("hunter2"), false);
});

test("what is ready is no news after that, also after a restart, and the controller's words stay", () => {
  const first = told(aContentSeen({ content: aContent({ spec: made, status: begun }), progress: { access } })).status;
  const bound = {
    ...first,
    phase: "Bound",
    conditions: [...(first.conditions ?? []), ...conditions({ Bound: true })],
  } as const;
  const again = told(aContentSeen({ content: aContent({ spec: made, status: bound }) }));
  deepEqual([again.isNews, again.status.phase], [false, "Bound"]);
});

const troubles: readonly (readonly [says: string, seen: Seen, type: string, phase: string])[] = [
  ["its bucket is not made", aContentSeen({ content: aContent({ status: begun }) }), "BucketReady", "Failed"],
  [
    "its keys are not granted",
    aContentSeen({ content: aContent({ status: begun }), progress: { bucket: { id: "b" } } }),
    "AccessGranted",
    "Failed",
  ],
  [
    "its keys are not taken back",
    aContentSeen({ content: aContent({ metadata: gone, spec: made, status: givenUp }) }),
    "Released",
    "Failed",
  ],
];

for (const [says, seen, type, phase] of troubles)
  test(`when ${says}, that is said in the driver's words, with what to do and the row that holds`, () => {
    const { status, note } = told({ ...seen, progress: { ...seen.progress, failed: failed(seen.content) } });
    const found = conditionOf(status, type);
    deepEqual([found?.status, found?.reason, status.phase], ["False", "DriverRefused", phase]);
    match(status.message ?? "", /^The driver says: no\. Ask the platform team .* \(the driver said no a moment ago\)$/);
    deepEqual(note, { type: "Warning", reason: "DriverRefused", message: status.message });
  });

test("to be asked again is Retrying, and telling it again is no news", () => {
  const content = aContent({ status: begun });
  const progress = { failed: failed(content, "DriverRetried") };
  const { status } = told(aContentSeen({ content, progress }));
  equal(status.phase, "Retrying");
  const next = aContent({ status });
  equal(
    told(aContentSeen({ content: next, progress: { failed: { ...failed(next, "DriverRetried"), times: 5 } } })).isNews,
    false,
  );
});

test("trouble goes when it is over", () => {
  const status = { ...begun, conditions: [...begun.conditions, ...conditions({ BucketReady: "DriverRefused" })] };
  const over = told(aContentSeen({ content: aContent({ spec: made, status }), progress: { access } }));
  deepEqual([over.status.phase, conditionOf(over.status, "BucketReady")?.status], ["Ready", "True"]);
});

test("who has not got the driver's name tells nothing: two who tell would never agree", () => {
  deepEqual(reports(aContentSeen({ isRegistered: false })), []);
  deepEqual(reports(aContentSeen({ isRegistered: false, content: aContent({ spec: made, status: granted }) })), []);
});

test("the end says that every account is void, and which one was used", () => {
  const {
    phase,
    accounts,
    accountID,
    conditions: all,
  } = releasedStatus(aContent({ metadata: gone, spec: made, status: givenUp }), now);
  deepEqual([phase, accounts, accountID], ["Released", [{ name: account, state: "Revoked", id: "AK1" }], undefined]);
  equal(conditionOf({ conditions: all ?? [] }, "Released")?.status, "True");
});

test("a content that came with answers is refused in words that name the way out", () => {
  const { status, note } = told(aContentSeen({ content: aContent({ spec: made }) }));
  deepEqual([status.phase, note?.reason], ["Failed", "ContentForeign"]);
  match(status.message ?? "", /back-up.*bucketIdentifier/);
});

test("a deletion alone is no news, and no reason to ask the driver again: the controller has the next word", () => {
  const ready = told(aContentSeen({ content: aContent({ spec: made, status: begun }), progress: { access } })).status;
  const content = aContent({ metadata: { ...gone, generation: 2 }, spec: made, status: ready });
  equal(told(aContentSeen({ content })).isNews, false);
  const refused = failed(aContent({ status: { ...begun, observedGeneration: 1 } }));
  const left = aContent({ metadata: { ...gone, generation: 2 }, status: { ...begun, observedGeneration: 1 } });
  const seen = aContentSeen({ content: left, progress: { failed: refused } });
  equal(decide(tableFor(seen), seen).plan.do, "wait");
});
