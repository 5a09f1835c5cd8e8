import { setTimeout as sleep } from "node:timers/promises";
import { storageClasses } from "../../../src/api/gen/storage.ts";
import { type Code, troubles } from "../../../src/rpc/errors.ts";
import { nextCall } from "../../driver/beside.ts";
import { type ScriptLine, type WrongAnswer, wrongAnswers } from "../../driver/script.ts";
import type { ArmedCase, Case } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import { callSeconds, sceneOn } from "./ground.ts";

/** The calls of a flow that change something in the driver. */
export type Rpc = "CreateVolume" | "DeleteVolume";
type When = ScriptLine["when"];
export type Line = Pick<ScriptLine, "when" | "fault" | "milliseconds">;

const both: readonly When[] = ["before", "after"];
const codes = Object.keys(troubles) as readonly Code[];
const overTheDeadline = callSeconds * 1000 + 500;
/** Long enough for a kill to come in between. */
const atItMilliseconds = 600;
/** After a final no the order is over, and begun anew. */
export const explains = 2;

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
  return () => [
    ...rpcs.flatMap((rpc) => [
      ...codesFor(rpc).map((line) => refusedCall(rpc, line)),
      ...both.flatMap((when) => [
        atCall(rpc, { when, fault: "lost-reply" }),
        atCall(rpc, { when, fault: "slow", milliseconds: overTheDeadline }),
        atCall(rpc, { when, fault: "hang" }),
        atCall(rpc, { when, fault: "die" }),
        killedDuring(rpc, when),
      ]),
      atCall(rpc, { when: "after", fault: { answer: "garbage" } }),
    ]),
    ...(rpcs.includes("CreateVolume") ? lies(["empty-id", "smaller", "huge"]) : []),
  ];
}

/** For flows whose volumes are filled. */
export const emptyInsteadOfFilled: Tier = () => lies(["no-source"]);

function lies(answers: readonly WrongAnswer[]): readonly Case[] {
  return wrongAnswers
    .filter((answer) => answers.includes(answer))
    .map((answer) => refusedCall("CreateVolume", { when: "after", fault: { answer } }));
}

/** A driver that has done it and says for sure that it has not, tells a lie that nobody can see through. */
function codesFor(rpc: Rpc): readonly Line[] {
  const before = codes.filter((code) => rpc === "CreateVolume" || code !== "NOT_FOUND");
  const after = rpc === "DeleteVolume" ? codes : codes.filter((code) => troubles[code].create === "in-doubt");
  return [
    ...before.map((code): Line => ({ when: "before", fault: { code } })),
    ...after.map((code): Line => ({ when: "after", fault: { code } })),
  ];
}

export function inWords({ when, fault }: Line): string {
  if (typeof fault === "string") return `${fault} ${when}`;
  return "code" in fault ? `${fault.code} ${when}` : fault.answer;
}

/** The first call of the run, and none after it. */
export function atCall(rpc: Rpc, line: Line, more: Partial<ArmedCase> = {}): Case {
  return {
    says: `${inWords(line)} at ${rpc}`,
    explains,
    arm(stage) {
      const { driver } = sceneOn(stage);
      const planned = nextCall(driver, { method: rpc, ...line });
      const disarm = driver.play([planned]);
      return { fired: () => driver.count(rpc) >= (planned.nth ?? 0), ...more, disarm };
    },
  };
}

/** What the driver says is told to whoever waits for the claim, once; what it says of a volume, on the volume. */
export function refusedCall(rpc: Rpc, line: Line): Case {
  const one = atCall(rpc, line);
  return {
    ...one,
    arm(stage) {
      const [mark, armed] = [stage.proxy.mark(), one.arm(stage)];
      const over = new AbortController();
      if (isInfeasible(rpc, line)) void classIsTouched(stage, armed, over.signal);
      return {
        ...armed,
        judge: () => isTold(rpc, line, () => stage.proxy.since(mark)),
        disarm() {
          over.abort();
          armed.disarm();
        },
      };
    },
  };
}

function isInfeasible(rpc: Rpc, { fault }: Line): boolean {
  return rpc === "CreateVolume" && typeof fault === "object" && "code" in fault && fault.code === "INVALID_ARGUMENT";
}

/** What the driver will refuse again is left alone for minutes, or until an admin changes the class. */
async function classIsTouched(stage: Stage, armed: ArmedCase, over: AbortSignal): Promise<void> {
  const { className } = sceneOn(stage);
  const mark = stage.proxy.mark();
  const isRefused = () =>
    armed.fired() && eventsIn(stage.proxy.since(mark)).some(({ message }) => /INVALID/.test(message));
  while (!over.aborted && !isRefused()) await sleep(50);
  const annotations = { touched: String(Date.now()) };
  if (!over.aborted) await stage.admin.merge(storageClasses, { name: className }, { metadata: { annotations } });
}

interface Told {
  readonly reason: string;
  readonly message: string;
}

function eventsIn(log: ReturnType<Stage["proxy"]["since"]>): readonly Told[] {
  return log.filter(({ resource, verb }) => resource === "events" && verb === "create").map(({ body }) => body as Told);
}

const longestToldMilliseconds = 10_000;

async function isTold(rpc: Rpc, line: Line, log: () => ReturnType<Stage["proxy"]["since"]>) {
  const word = wordFor(rpc, line);
  if (word === undefined) return [];
  const reason = rpc === "CreateVolume" ? "ProvisioningFailed" : "VolumeFailedDelete";
  const told = () => eventsIn(log()).filter((event) => event.reason === reason);
  const deadline = performance.now() + longestToldMilliseconds;
  while (told().length === 0 && performance.now() < deadline) await sleep(50);
  const words = told().map(({ message }) => message);
  const isRight = words.length === 1 && words[0]?.includes(word) === true;
  return isRight ? [] : [`${inWords(line)} is told as ${JSON.stringify(words)}`];
}

/** What the one Event must say; undefined where there is nothing to tell. */
function wordFor(rpc: Rpc, { fault }: Line): string | undefined {
  if (typeof fault === "string") return undefined;
  if ("answer" in fault) return "driver";
  // What is not there any more is deleted.
  if (rpc === "DeleteVolume" && fault.code === "NOT_FOUND") return undefined;
  // Its own words, up to what it quotes.
  return fault.message?.split('"')[0] ?? `the script says ${fault.code}`;
}

/** The process dies while the driver is at it, or when it has done it and not said so yet. */
function killedDuring(rpc: Rpc, when: When): Case {
  const one = atCall(rpc, { when, fault: "slow", milliseconds: atItMilliseconds });
  return {
    ...one,
    says: `killed ${when} the act of ${rpc}`,
    arm(stage) {
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
