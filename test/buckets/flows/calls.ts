import type { Call } from "../../driver/calls.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { tellsContent, tellsRelease } from "./order-rules.ts";
import { sceneOn, type Who } from "./scene.ts";
import type { World } from "./world.ts";

/** The driver and the proxy look at the same clock, each with its own rounding. */
const blurMilliseconds = 5;

/** A moment of the proxy's log as the driver counts time. */
function wall(at: number): number {
  return Date.now() - performance.now() + at;
}

const making = new Set(["CreateBucket", "GrantBucketAccess"]);
const isDone = ({ reply }: Call) => reply === "OK" || reply === "NOT_FOUND";

/** Nobody but this run has asked the driver for anything since it began. */
export function callsOf({ before }: World, stage: Pick<Stage, "cluster">): readonly Call[] {
  const calls = sceneOn(stage).keeper.scripted?.calls() ?? [];
  return calls.slice(before.calls).filter(({ method }) => method !== "GetDriverInfo");
}

/** How many different requests there were for the same: every try asks the same. */
export function askedDifferently(calls: readonly Call[]): readonly string[] {
  const words = new Map<string, Set<string>>();
  for (const { method, of, request } of calls) {
    const what = `${method} ${of}`;
    words.set(what, (words.get(what) ?? new Set()).add(JSON.stringify(request)));
  }
  return [...words].filter(([, said]) => said.size > 1).map(([what, said]) => `${what}: ${[...said].join(" and ")}`);
}

/** What came before something that had to come first. */
export function tooEarly(world: World, stage: Pick<Stage, "cluster" | "proxy">, who: Who): readonly string[] {
  const calls = callsOf(world, stage);
  const deleted = calls
    .filter(({ method, at }) => method === "DeleteBucket" && !isDoneBy(calls, "RevokeBucketAccess", at))
    .map(({ n }) => `call ${n} deletes the bucket before its keys are revoked`);
  if (who === "controller") return deleted;
  const writes = stage.proxy.log().filter((write) => tellsContent(write) && write.name === world.content);
  const begun = writes.find(({ code = 500 }) => code < 300)?.answeredAt;
  const wasBegun = (at: number) => begun !== undefined && wall(begun) <= at + blurMilliseconds;
  const unannounced = calls
    .filter(({ method, at }) => making.has(method) && !wasBegun(at))
    .map(({ n, method }) => `call ${n}, ${method}, came before it was stored that it begins`);
  return [...deleted, ...unannounced, ...toldTooEarly(calls, writes)];
}

/** As long as a key may be good nobody is told that it is not; and as long as a bucket is there that is to go. */
function toldTooEarly(calls: readonly Call[], writes: readonly WriteRecord[]): readonly string[] {
  const told = writes.filter((write) => tellsRelease(write));
  const wasMade = calls.some(({ method }) => making.has(method));
  const goes = calls.some(({ method }) => method === "DeleteBucket");
  return told.flatMap(({ n, at }) => [
    ...(wasMade && !isDoneBy(calls, "RevokeBucketAccess", wall(at))
      ? [`write ${n} tells the release before the keys are revoked`]
      : []),
    ...(goes && !isDoneBy(calls, "DeleteBucket", wall(at))
      ? [`write ${n} tells the release before the bucket is deleted`]
      : []),
  ]);
}

function isDoneBy(calls: readonly Call[], method: string, moment: number): boolean {
  return calls.some(
    (call) => call.method === method && isDone(call) && (call.repliedAt ?? Infinity) <= moment + blurMilliseconds,
  );
}
