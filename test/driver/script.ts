import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Code } from "../../src/rpc/errors.ts";
import { troubles } from "../../src/rpc/errors.ts";

/** What a driver can do to a call besides answering it. */
export type Fault =
  /** Says this instead of the truth; after the act it is a lie. */
  | { readonly code: Code; readonly message?: string }
  /** Answers with something that no driver should. */
  | { readonly answer: WrongAnswer }
  /** Cuts every connection instead of replying. */
  | "lost-reply"
  /** Takes its time, then goes on as if nothing had happened. */
  | "slow"
  /** Never replies. */
  | "hang"
  /** Kills its own process; only a driver with a process of its own may. */
  | "die";

export const wrongAnswers = [
  "other-id",
  "empty-id",
  "no-credentials",
  "no-source",
  "smaller",
  "huge",
  "garbage",
] as const;
export type WrongAnswer = (typeof wrongAnswers)[number];

const words = ["lost-reply", "slow", "hang", "die"] as const;

/** One line of a script. The first line that fits a call is done to it. */
export interface ScriptLine {
  /** For instance `CreateVolume`. */
  readonly method: string;
  /** Only to the n-th call of this method, from 1, counted over restarts of the driver; absent means to every call. */
  readonly nth?: number;
  /** Only to calls for this name or id. */
  readonly of?: string;
  /** Before or after the act is done and written down. */
  readonly when: "before" | "after";
  readonly fault: Fault;
  readonly milliseconds?: number;
}

export type Script = readonly ScriptLine[];

/** The driver reads its script at every call, so that a test can change it while the driver runs. */
export function writeScript(path: string, script: Script): void {
  writeFileSync(`${path}.new`, JSON.stringify(script, null, 1));
  renameSync(`${path}.new`, path);
}

/** A script that would do nothing is an error: a test that relies on it would prove nothing. */
export function readScript(path: string | undefined, methods: readonly string[]): Script {
  if (path === undefined) return [];
  const script = JSON.parse(textIn(path)) as Script;
  for (const line of script) {
    const fault = faultIn(line, methods);
    if (fault !== undefined) throw new Error(`${path}: ${fault}: ${JSON.stringify(line)}`);
  }
  return script;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return "[]";
    throw problem;
  }
}

function faultIn({ method, when, fault }: ScriptLine, methods: readonly string[]): string | undefined {
  if (!methods.includes(method)) return `the driver has no method ${method}`;
  if (!["before", "after"].includes(when)) return "a fault comes before or after the act";
  if (typeof fault === "string") return words.includes(fault) ? undefined : `there is no fault "${fault}"`;
  if ("code" in fault) return fault.code in troubles ? undefined : `there is no code ${fault.code}`;
  if (!wrongAnswers.includes(fault.answer)) return "there is no such answer";
  return when === "after" ? undefined : "a wrong answer comes after the act";
}

export function lineFor(script: Script, call: { readonly method: string; readonly nth: number; readonly of: string }) {
  return script.find(
    ({ method, nth = call.nth, of = call.of }) => method === call.method && nth === call.nth && of === call.of,
  );
}
