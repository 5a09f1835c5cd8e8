import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { test } from "node:test";
import { aContent, aContentSeen, begun } from "../../../test/fixture/bucket-seen.ts";
import { type Code, errorOf } from "../../rpc/errors.ts";
import { type Hand, LeaseInDoubt } from "../../runtime/hand.ts";
import { UnfitAnswer } from "./answers.ts";
import { asked, unlessGone } from "./asked.ts";
import { circumstancesOf, type Progress, type Seen } from "./seen.ts";
import type { Tools } from "./tools.ts";

const seen = aContentSeen({ content: aContent({ status: begun }), progress: { hasBegun: true } });

interface World {
  readonly tools: Tools;
  readonly codes: string[];
  readonly doubts: () => number;
}

function world(confirm: () => Promise<void> = () => Promise.resolve()): World {
  const codes: string[] = [];
  let doubts = 0;
  const acquaintance = { confirm, doubt: () => void (doubts += 1), lost: () => undefined };
  const tools = {
    calls: {},
    call: {},
    acquaintance,
    called: (_: string, __: number, code: string) => codes.push(code),
  };
  return { tools: tools as unknown as Tools, codes, doubts: () => doubts };
}

const hand = (requireLease: () => void = () => undefined) => ({ requireLease }) as unknown as Hand;
const failing = (problem: Error) => () => Promise.reject(problem);
const saying = (code: Code, details = "no") => errorOf("/x/CreateBucket", "create", code, details);
const asking = async (problem: Error, of: Seen = seen, { tools }: World = world()): Promise<Progress> =>
  await asked("create-bucket", of, hand(), tools, failing(problem));

test("what the driver has done is remembered, and what it refused before is forgotten", async () => {
  const { tools, codes } = world();
  const before = await asking(saying("INTERNAL"));
  const found = await asked("create-bucket", { ...seen, progress: before }, hand(), tools, () =>
    Promise.resolve({ ...before, bucket: { id: "b" } }),
  );
  deepEqual([found, codes], [{ hasBegun: true, bucket: { id: "b" } }, ["OK"]]);
});

const terminal: readonly Code[] = [
  "INVALID_ARGUMENT",
  "ALREADY_EXISTS",
  "UNIMPLEMENTED",
  "OUT_OF_RANGE",
  "PERMISSION_DENIED",
  "NOT_FOUND",
];
const passing: readonly Code[] = [
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "ABORTED",
  "CANCELLED",
  "INTERNAL",
  "UNKNOWN",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];

for (const code of terminal)
  test(`${code} will not pass by itself`, async () => equal((await asking(saying(code))).failed?.why, "DriverRefused"));

for (const code of passing)
  test(`${code} may pass`, async () => equal((await asking(saying(code))).failed?.why, "DriverRetried"));

test("what the driver refuses keeps what it has done, and tells its words", async () => {
  const { failed, ...rest } = await asking(saying("INTERNAL", "disk full"));
  deepEqual(rest, { hasBegun: true });
  equal(failed?.message, "The driver says: CreateBucket: disk full (INTERNAL).");
  deepEqual([failed?.times, failed?.at, failed?.circumstances], [1, seen.now, circumstancesOf(seen)]);
});

test("after a dozen tries nobody hopes any more, and other circumstances are a new hope", async () => {
  let progress: Progress = {};
  for (let times = 1; times <= 13; times++) progress = await asking(saying("UNAVAILABLE"), { ...seen, progress });
  deepEqual([progress.failed?.times, progress.failed?.why], [13, "DriverKeepsFailing"]);
  const back = await asking(saying("UNAVAILABLE"), { ...seen, progress, era: 1 });
  deepEqual([back.failed?.times, back.failed?.why], [1, "DriverRetried"]);
});

test("an answer that cannot be used is told as that", async () => {
  const { failed } = await asking(new UnfitAnswer("bucket_id is empty"));
  deepEqual([failed?.why, failed?.message], ["AnswerUnfit", "The driver's answer cannot be used: bucket_id is empty."]);
});

test("no key is in what is told, not even one that only the driver has quoted", async () => {
  const endpoint = { url: "https://s", region: "", protocol: "", bucketName: "b", pathStyle: true };
  const access = { accountID: "AK1", endpoint, credentials: { accessKeyID: "AK1", accessSecretKey: "hunter2" } };
  const of = { ...seen, progress: { access } };
  const { failed } = await asking(saying("INTERNAL", "user AK1/hunter2 via https://root:letmein@store"), of);
  match(failed?.message ?? "", /\*\*\*stripped\*\*\*\/\*\*\*stripped\*\*\* via/);
  equal(/hunter2|letmein/.test(failed?.message ?? ""), false);
});

test("a driver that was lost is doubted, and asked who it is before the next call", async () => {
  const one = world();
  await asking(saying("UNAVAILABLE"), seen, one);
  await asking(saying("INTERNAL"), seen, one);
  deepEqual([one.doubts(), one.codes], [1, ["UNAVAILABLE", "INTERNAL"]]);
  const another = world(() => Promise.reject(new Error("it is another driver")));
  await rejects(asking(saying("INTERNAL"), seen, another), /another driver/);
});

test("without the lease nobody is asked, and a bug is no answer of the driver", async () => {
  const { tools, codes } = world();
  const inDoubt = hand(() => {
    throw new LeaseInDoubt();
  });
  let calls = 0;
  const count = () => Promise.resolve({ ...seen.progress, calls: (calls += 1) });
  await rejects(asked("create-bucket", seen, inDoubt, tools, count), LeaseInDoubt);
  await rejects(asking(new TypeError("our own mistake")), TypeError);
  deepEqual([calls, codes], [0, []]);
});

test("what is not there need not be taken back, and anything else is told", async () => {
  await unlessGone(Promise.reject(saying("NOT_FOUND")));
  await rejects(unlessGone(Promise.reject(saying("PERMISSION_DENIED"))), /PERMISSION_DENIED/);
});
