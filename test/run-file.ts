import { relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { type Counts, countsOf, none } from "./summary.ts";

/** Cold, the first file of a lane waits until a control plane is built; nothing that takes longer than this will ever end. */
const longestSeconds = 20 * 60;

export interface FileRun {
  readonly lane: string;
  readonly file: string;
  readonly argv: readonly string[];
  readonly stop: AbortSignal;
  readonly say: (line: string) => void;
  readonly seconds?: number;
}

export interface FileResult {
  readonly counts: Counts;
  /** A line each. */
  readonly failures: readonly string[];
}

/**
 * One file, in a process of its own, that ends in time. The runner's own time limit ends tests, and not files: one child
 * process that a test forgot would hold up the whole run for ever.
 */
export async function runFile({ lane, file, argv, stop, say, seconds = longestSeconds }: FileRun): Promise<FileResult> {
  const tooLate = new AbortController();
  const giveUp = () => tooLate.abort(new Error(`it had not ended after ${seconds} seconds`));
  const timer = setTimeout(giveUp, seconds * 1000);
  const stream = run({
    files: [file],
    argv: [...argv],
    signal: AbortSignal.any([stop, tooLate.signal]),
  });
  let counts = none;
  const failures: string[] = [];
  stream.on("test:fail", ({ name, details }) => {
    // A file fails because a test in it does; it is told itself only when it has no test to blame.
    const { failureType, message } = details.error as Error & { readonly failureType?: string };
    if (failureType === "subtestsFailed") return;
    const [firstLine = ""] = message.split("\n");
    failures.push(`✖ ${lane}: ${name} (${relative(".", file)}): ${firstLine}`);
  });
  stream.on("test:summary", (summary) => {
    if (summary.file === undefined) counts = countsOf(summary.counts);
  });
  try {
    for await (const text of stream.compose(new spec()) as AsyncIterable<string | Buffer>) {
      const lines = text
        .toString()
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.startsWith("ℹ "));
      for (const line of lines) say(`${lane.padEnd(14)} ${line}`);
    }
  } finally {
    clearTimeout(timer);
  }
  return { counts, failures };
}
