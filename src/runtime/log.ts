import type { Writable } from "node:stream";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { problemFields } from "./log/problem.ts";
import { type Fields, harmless, harmlessText } from "./log/redact.ts";

export type { Fields } from "./log/redact.ts";

export type LogFormat = "json" | "text";

export interface LogOptions {
  readonly format: LogFormat;
  /** Details up to this level are written. */
  readonly verbosity: number;
  readonly component: string;
  readonly clock?: Clock;
}

/** What a process says about itself. Secrets never pass, and nothing that is said can make it throw. */
export interface Log {
  info(message: string, fields?: Fields): void;
  /** Written only when the level is asked for by `-v`. */
  debug(level: number, message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, problem: unknown, fields?: Fields): void;
  /** Every line of it carries these too; `operation` is the id of what is being done. */
  with(fields: Fields): Log;
}

interface Line {
  readonly ts: string;
  readonly level: "info" | "warn" | "error";
  readonly v: number;
  readonly component: string;
  readonly msg: string;
  readonly fields: Fields;
}

export function logTo(stream: Writable, { format, verbosity, component, clock = systemClock }: LogOptions): Log {
  const textOf = format === "json" ? jsonLine : plainLine;
  // A reader that is gone must not end a process that moves volumes.
  stream.on("error", () => undefined);

  function write(level: Line["level"], v: number, message: string, fields: () => Fields): void {
    const line = { ts: clock.wall().toISOString(), level, v, component, msg: harmlessText(message) };
    stream.write(`${wholeOr(line, () => textOf({ ...line, fields: harmless(fields()) }))}\n`);
  }

  function logWith(always: Fields): Log {
    return {
      info: (message, fields) => write("info", 0, message, () => ({ ...always, ...fields })),
      debug(level, message, fields) {
        if (level <= verbosity) write("info", level, message, () => ({ ...always, ...fields }));
      },
      warn: (message, fields) => write("warn", 0, message, () => ({ ...always, ...fields })),
      error: (message, problem, fields) =>
        write("error", 0, message, () => {
          const said = problemFields(problem);
          // First, to be seen first; and last, because no field may say otherwise.
          return { ...said, ...always, ...fields, ...said };
        }),
      with: (fields) => logWith({ ...always, ...fields }),
    };
  }

  return logWith({});
}

/** Whatever is wrong with the fields, the message itself is written. */
function wholeOr(line: object, whole: () => string): string {
  try {
    return whole();
  } catch {
    return JSON.stringify({ ...line, fields: "[unreadable]" });
  }
}

function jsonLine({ fields, ...line }: Line): string {
  const own = Object.entries(fields).map(
    ([name, value]) => [Object.hasOwn(line, name) ? `${name}_` : name, value] as const,
  );
  return JSON.stringify({ ...line, ...Object.fromEntries(own) });
}

/** One line, whatever is said: a name with a line break in it must not look like a second line. */
function plainLine({ ts, level, v, component, msg, fields }: Line): string {
  const words = Object.entries(fields).map(([name, value]) => `${name}=${wordOf(value)}`);
  const how = v === 0 ? level.toUpperCase() : `V${v}`;
  return [ts, how.padEnd(5), `${component}:`, withoutBreaks(msg), ...words].join(" ");
}

function wordOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text);
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (sign) =>
    sign === "\n" ? "\\n" : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
