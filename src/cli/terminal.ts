import type { Writable } from "node:stream";

/** Where a command speaks: results on stdout, everything said to a person on stderr, so that pipes stay clean. */
export interface Terminal {
  result(text: string): void;
  say(text: string): void;
  /** What long work is doing now: one line that rewrites itself on a terminal, a plain line now and then elsewhere. */
  progress(text: string): void;
  /** Answers what a person types; absent where nobody could. */
  ask?(question: string): Promise<string>;
  /** Results may be coloured. */
  readonly colours?: boolean;
}

const plainLineEverySeconds = 15;

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function terminalOn(stdout: Stream, stderr: Stream, now: () => number = () => performance.now()): Terminal {
  let open = false;
  let lastPlain = Number.NEGATIVE_INFINITY;

  function clearLine(): void {
    if (open) stderr.write("\r\u001b[K");
    open = false;
  }

  return {
    result(text) {
      clearLine();
      stdout.write(`${text}\n`);
    },
    say(text) {
      clearLine();
      stderr.write(`${text}\n`);
    },
    progress(text) {
      if (stderr.isTTY === true) {
        const width = (stderr.columns ?? 80) - 1;
        stderr.write(`\r\u001b[K${text.slice(0, width)}`);
        open = true;
        return;
      }
      if (now() - lastPlain < plainLineEverySeconds * 1000) return;
      lastPlain = now();
      stderr.write(`${text}\n`);
    },
  };
}
