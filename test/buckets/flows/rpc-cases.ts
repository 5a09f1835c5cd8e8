import { setTimeout as sleep } from "node:timers/promises";
import { type Code, troubles } from "../../../src/rpc/errors.ts";
import { nextCall } from "../../driver/beside.ts";
import type { ScriptLine, WrongAnswer } from "../../driver/script.ts";
import type { ArmedCase, Case } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import { callSeconds, sceneOn } from "./scene.ts";

/** The calls that change something in a driver. */
export type Rpc = "CreateBucket" | "GrantBucketAccess" | "RevokeBucketAccess" | "DeleteBucket";
type When = ScriptLine["when"];
type Line = Pick<ScriptLine, "when" | "fault" | "milliseconds">;

const both: readonly When[] = ["before", "after"];
const codes = Object.keys(troubles) as readonly Code[];
const overTheDeadline = callSeconds * 1000 + 500;
/** Long enough for a kill to come in between. */
const atItMilliseconds = 600;
/** It is told that the driver says no, and whoever asked again has told that it has begun. */
const explains = 3;

export function scriptOn(stage: Pick<Stage, "cluster">) {
  const { scripted } = sceneOn(stage).keeper;
  if (scripted === undefined) throw new Error("a real driver has no script");
  return scripted;
}

/** Every call refused before its act, refused after it, and its reply lost. */
export function shortRpcTier(...rpcs: readonly Rpc[]): Tier {
  return () =>
    rpcs.flatMap((rpc) => [
      ...both.map((when) => atCall(rpc, { when, fault: { code: "UNAVAILABLE" } })),
      atCall(rpc, { when: "after", fault: "lost-reply" }),
    ]);
}

/** Everything that a driver, or its end, can do to a call. */
export function longRpcTier(...rpcs: readonly Rpc[]): Tier {
  return () =>
    rpcs.flatMap((rpc) => [
      ...both.flatMap((when) => [
        ...codesFor(rpc, when).map((code) => atCall(rpc, { when, fault: { code } })),
        atCall(rpc, { when, fault: "lost-reply" }),
        atCall(rpc, { when, fault: "slow", milliseconds: overTheDeadline }),
        atCall(rpc, { when, fault: "hang" }),
        atCall(rpc, { when, fault: "die" }),
        killedDuring(rpc, when),
      ]),
      ...wrongAnswersOf(rpc).map((answer) => atCall(rpc, { when: "after", fault: { answer } })),
    ]);
}

/** A driver that does not find what is there tells a lie that nobody can see through. */
function codesFor(rpc: Rpc, when: When): readonly Code[] {
  const takesBack = rpc === "RevokeBucketAccess" || rpc === "DeleteBucket";
  return codes.filter((code) => code !== "NOT_FOUND" || !takesBack || when === "after");
}

/** What cannot be an answer. Keys come with the grant, or at once. */
function wrongAnswersOf(rpc: Rpc): readonly WrongAnswer[] {
  if (rpc === "GrantBucketAccess") return ["garbage", "empty-id", "huge", "no-credentials"];
  return rpc === "CreateBucket" ? ["garbage", "empty-id", "huge"] : ["garbage"];
}

/** A driver that grants when it creates, and forgets the keys. */
export const keysForgotten: Tier = () => [
  atCall("CreateBucket", { when: "after", fault: { answer: "no-credentials" } }),
];

/** The driver is in trouble when the process begins, and any answer but a wait ends it. */
export const calledTier: Tier = () =>
  (["lost-reply", "hang", { code: "UNAVAILABLE" }, { code: "INTERNAL" }] as const).map((fault) => ({
    ...atCall("GetDriverInfo", { when: "before", fault }),
    endsIt: true,
    arm(stage) {
      const armed = atCall("GetDriverInfo", { when: "before", fault }).arm(stage);
      void stage.subject.killed();
      return armed;
    },
  }));

function inWords({ when, fault }: Line): string {
  if (typeof fault === "string") return `${fault} ${when}`;
  return "code" in fault ? `${fault.code} ${when}` : fault.answer;
}

/** The first call of the run, and none after it. */
export function atCall(rpc: Rpc | "GetDriverInfo", line: Line): Case {
  return {
    says: `${inWords(line)} at ${rpc}`,
    explains,
    tells: true,
    arm(stage) {
      const driver = scriptOn(stage);
      const planned = nextCall(driver, { method: rpc, ...line });
      const disarm = driver.play([planned]);
      const over = new AbortController();
      const isReplied = () => driver.calls().filter(({ method }) => method === rpc)[(planned.nth ?? 1) - 1]?.reply;
      if (isRefusal(line)) void askedAnew(stage, isReplied, over.signal);
      return {
        fired: () => driver.count(rpc) >= (planned.nth ?? 0),
        disarm() {
          over.abort();
          disarm();
        },
      };
    },
  };
}

/** What is refused as it is, is asked again after minutes: or when the driver has come back. */
function isRefusal({ fault }: Line): boolean {
  if (typeof fault === "string") return false;
  return "answer" in fault || fault.code === "NOT_FOUND" || troubles[fault.code].create === "refused";
}

async function askedAnew(stage: Stage, isReplied: () => string | undefined, over: AbortSignal): Promise<void> {
  while (!over.aborted && isReplied() === undefined) await sleep(50);
  // It is heard before the driver is away.
  await sleep(200);
  if (!over.aborted) await scriptOn(stage).comeBack();
}

/** The process dies while the driver is at it, or when it has done it and not said so yet. */
function killedDuring(rpc: Rpc, when: When): Case {
  const one = atCall(rpc, { when, fault: "slow", milliseconds: atItMilliseconds });
  return {
    ...one,
    says: `killed ${when} the act of ${rpc}`,
    arm(stage): ArmedCase {
      const armed = one.arm(stage);
      let isKilled = false;
      const killed = until(`${rpc} is called`, () => armed.fired()).then(async () => {
        await stage.subject.killed();
        isKilled = true;
      });
      killed.catch(() => undefined);
      return { ...armed, fired: () => isKilled };
    },
  };
}
