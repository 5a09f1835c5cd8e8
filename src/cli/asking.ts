import type { Readable, Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

type Stream<S> = S & { readonly isTTY?: boolean };

/** A person can be asked only where both ends are a terminal; a pipe would answer with somebody else's data. */
export function asking(stdin: Stream<Readable>, stderr: Stream<Writable>, stop: AbortSignal): Pick<Terminal, "ask"> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return {};
  return {
    async ask(question) {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return await lines.question(question, { signal: stop });
      } finally {
        lines.close();
      }
    },
  };
}

/** Whether results may be coloured: on a terminal, unless the person wants none. */
export function wantsColours(
  { isTTY = false }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
