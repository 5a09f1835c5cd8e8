import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import type { Arriving, CallLog } from "./calls.ts";
import { Refusal } from "./refusal.ts";
import { type Fault, lineFor, type Script, type ScriptLine } from "./script.ts";
import { wronged } from "./wrong.ts";

/** What becomes of a call. */
export type Outcome =
  | { readonly message: Message }
  | { readonly status: { readonly code: number; readonly details: string } }
  | { readonly instead: "cut" | "silence" };

export type Actor = (call: Arriving, act: () => Promise<Message>) => Promise<Outcome>;

interface Settings {
  readonly log: CallLog;
  readonly script: () => Script;
  readonly mayDie: boolean;
  /** Aborted when the driver is stopped: nothing is written from then on. */
  readonly stopped: AbortSignal;
}

/** Writes a call down, does to it what the script says, and otherwise what it asks for. */
export function actor(settings: Settings): Actor {
  const { log, script, stopped } = settings;
  return async (call, act) => {
    const { n, nth } = log.arrived(call);
    const line = lineFor(script(), { ...call, nth });
    const before = line?.when === "before" ? await suffer(line, settings) : undefined;
    const outcome = before ?? (await afterAct(line, await outcomeOf(act), settings));
    if (stopped.aborted) return { instead: "silence" };
    log.replied(n, inWords(outcome, line));
    return outcome;
  };
}

async function afterAct(line: ScriptLine | undefined, truth: Outcome, settings: Settings): Promise<Outcome> {
  if (line?.when !== "after") return truth;
  if (typeof line.fault === "object" && "answer" in line.fault)
    return "message" in truth ? { message: wronged(truth.message, line.fault.answer) } : truth;
  return (await suffer(line, settings)) ?? truth;
}

/** Undefined when the call goes on as if nothing had happened. */
async function suffer(
  { fault, milliseconds = 1000 }: ScriptLine,
  { mayDie, stopped }: Settings,
): Promise<Outcome | undefined> {
  if (typeof fault === "object") return "code" in fault ? no(fault) : undefined;
  switch (fault) {
    case "slow":
      await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
      return stopped.aborted ? { instead: "silence" } : undefined;
    case "hang":
      return { instead: "silence" };
    case "lost-reply":
      return { instead: "cut" };
    case "die":
      if (!mayDie) throw new Error("this driver shares its process: it cannot be killed by its script");
      process.kill(process.pid, "SIGKILL");
      return { instead: "silence" };
  }
}

function no({ code, message = `the script says ${code}` }: Extract<Fault, { readonly code: unknown }>): Outcome {
  return { status: { code: status[code], details: message } };
}

async function outcomeOf(act: () => Promise<Message>): Promise<Outcome> {
  try {
    return { message: await act() };
  } catch (problem) {
    if (problem instanceof Refusal) return no({ code: problem.code, message: problem.message });
    return no({ code: "INTERNAL", message: `a bug of the scripted driver: ${String(problem)}` });
  }
}

function inWords(outcome: Outcome, line: ScriptLine | undefined): string {
  if ("instead" in outcome) return typeof line?.fault === "string" ? line.fault : outcome.instead;
  return "status" in outcome ? (status[outcome.status.code] ?? "UNKNOWN") : "OK";
}
