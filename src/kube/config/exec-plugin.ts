import { stripVTControlCharacters } from "node:util";
import { Failure } from "../../api/failure.ts";
import type { Environment } from "./environment.ts";
import { type ExecAnswer, execAnswer } from "./exec-answer.ts";
import { type ExecCluster, execInfo, isInteractive } from "./exec-info.ts";
import { type ExecEnd, runExec } from "./exec-process.ts";
import type { ExecSpec } from "./exec-spec.ts";
import type { CredentialSource } from "./target.ts";

export interface ExecSurroundings {
  readonly env: Environment;
  readonly cluster: ExecCluster;
  readonly hasTerminal: boolean;
  readonly timeoutSeconds: number;
}

/** Credentials from a program. It may ask a person, so it never runs twice at a time and never without need. */
export function execPlugin(spec: ExecSpec, around: ExecSurroundings): CredentialSource {
  let kept: ExecAnswer | undefined;
  let running: Promise<ExecAnswer> | undefined;

  const run = async (): Promise<ExecAnswer> => {
    try {
      kept = await ask(spec, around);
      return kept;
    } finally {
      running = undefined;
    }
  };

  return {
    async current() {
      if (kept !== undefined && Date.now() < kept.expiresAt) return kept.credentials;
      running ??= run();
      return (await running).credentials;
    },
    forget(refused) {
      if (refused === undefined || refused === kept?.credentials) kept = undefined;
      return true;
    },
  };
}

async function ask(spec: ExecSpec, around: ExecSurroundings): Promise<ExecAnswer> {
  const interactive = isInteractive(spec, around.hasTerminal);
  const info = execInfo(spec, interactive, around.cluster);
  const end = await runExec({
    command: spec.command,
    args: spec.args,
    env: { ...around.env, ...spec.env, KUBERNETES_EXEC_INFO: info },
    interactive,
    timeoutSeconds: around.timeoutSeconds,
  });
  if (end.how === "exited" && end.status === "exit code 0") return execAnswer(spec, end.stdout);
  throw failureOf(spec, end, around.timeoutSeconds);
}

function failureOf(spec: ExecSpec, end: ExecEnd, timeoutSeconds: number): Failure {
  const byHand = `Run ${spec.command} by hand to see what it needs.`;
  switch (end.how) {
    case "not started":
      return notStarted(spec, end.code);
    case "too slow":
      return new Failure(`${spec.command}, ${spec.place}, took longer than ${timeoutSeconds} s`, byHand);
    case "exited":
      return new Failure(`${spec.command}, ${spec.place}, failed with ${end.status}: ${lastWords(end.stderr)}`, byHand);
  }
}

function notStarted(spec: ExecSpec, code: string): Failure {
  const hint = stripVTControlCharacters(spec.installHint ?? "").trim();
  const missing = `Install ${spec.command}, or correct ${spec.place}.`;
  return code === "ENOENT"
    ? new Failure(`${spec.command}, ${spec.place}, is not installed`, hint === "" ? missing : hint)
    : new Failure(`${spec.command}, ${spec.place}, cannot be started: ${code}`, "Make it a program you may run.");
}

function lastWords(stderr: string): string {
  const lines = stripVTControlCharacters(stderr).trim().split("\n");
  const words = lines.slice(-5).join("\n").slice(-1000);
  return words === "" ? "it said nothing" : words;
}
