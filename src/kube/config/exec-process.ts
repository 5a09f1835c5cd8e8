import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { Environment } from "./environment.ts";
import { errorCode } from "./source.ts";

export interface ExecCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  /** Gets our standard input, and what it says on standard error is shown at once: it may be a question. */
  readonly interactive: boolean;
  readonly timeoutSeconds: number;
}

export type ExecEnd =
  | { readonly how: "not started"; readonly code: string }
  | { readonly how: "too slow" }
  | { readonly how: "exited"; readonly status: string; readonly stdout: string; readonly stderr: string };

/** More than any credential has; what comes after it is dropped. */
const mostCharacters = 1024 * 1024;

/** Runs a program to its end, or to the end of our patience; never rejects for what the program does. */
export async function runExec(call: ExecCall): Promise<ExecEnd> {
  try {
    return await endOf(start(call), call);
  } catch (problem) {
    return { how: "not started", code: errorCode(problem) };
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start({ command, args, env, interactive }: ExecCall): Child {
  const options = { env: { ...env } };
  return interactive
    ? spawn(command, args, { ...options, stdio: ["inherit", "pipe", "pipe"] })
    : spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

async function endOf(child: Child, { interactive, timeoutSeconds }: ExecCall): Promise<ExecEnd> {
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  if (interactive) child.stderr.on("data", (chunk: string) => process.stderr.write(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<ExecEnd>();
  child.once("error", reject);
  child.once("close", (code, signal) =>
    resolve({ how: "exited", status: signal ?? `exit code ${code}`, stdout: stdout(), stderr: stderr() }),
  );
  const late = setTimeout(() => {
    resolve({ how: "too slow" });
    child.kill("SIGKILL");
  }, timeoutSeconds * 1000);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    // A grandchild that lives on would keep them open, and with them this process.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function collected(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < mostCharacters) text += chunk;
  });
  return () => text;
}
