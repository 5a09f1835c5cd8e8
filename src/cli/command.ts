import type { Terminal } from "./terminal.ts";

/** One flag of a command. `value` is the placeholder in the help text; a flag without it is a switch. */
export interface Flag {
  readonly says: string;
  readonly value?: string;
  readonly short?: string;
  readonly repeatable?: true;
  /** What it means when it is written without a value, as Go's switches are: the next word is never its value. */
  readonly bare?: string;
  /** What stands there, if its value is a name of something. */
  readonly completes?: Completes;
  /** One of the flags that kubectl itself has; they stand apart in the help text. */
  readonly ofKubectl?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What the flags of a command parse to: a switch to a boolean, a repeatable flag to a list, any other to a string. */
export type FlagValues<F extends Flags> = {
  readonly [name in keyof F]: F[name] extends { readonly value: string }
    ? F[name] extends { readonly repeatable: true }
      ? readonly string[]
      : string | undefined
    : boolean;
};

export interface Call<F extends Flags = Flags> {
  readonly flags: FlagValues<F>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first SIGINT or SIGTERM: stop and clean up. */
  readonly stop: AbortSignal;
  /** Of this program, for those it talks to. */
  readonly version?: string;
}

/** What can stand at the place of a positional argument; completion asks the server for the names. */
export type Completes =
  | "claim"
  | "other claim"
  | "other request"
  | "request"
  | "consent"
  | "object"
  | "volume"
  | "bucket"
  | "bucket class";

export interface Command {
  readonly name: string;
  readonly says: string;
  /** The positional arguments as the help text shows them, for example `[component]`; none when absent. Other ways to call it follow a ` | `. */
  readonly takes?: string;
  readonly examples?: readonly string[];
  /** One for each positional argument that has names, or words of its own, to offer; the last one for all that may follow `…`. */
  readonly completes?: readonly (Completes | readonly string[])[];
  readonly flags: Flags;
  /** Answers an exit code only when it is another than 0 and everything has been said already. */
  run(call: Call): Promise<number | void>;
}

export interface CommandGroup {
  readonly name: string;
  readonly says: string;
  readonly commands: readonly Node[];
}

/** A command, or a group of them, that is loaded only for those who call it. */
export interface Deferred {
  readonly name: string;
  readonly says: string;
  load(): Promise<Command | CommandGroup>;
}

export type Node = Command | CommandGroup | Deferred;

/** Types the flags of a command for its own `run`; outside, every command has the same type. */
export function command<const F extends Flags>(
  spec: Omit<Command, "flags" | "run"> & { readonly flags: F; run(call: Call<F>): Promise<number | void> },
): Command {
  return { ...spec, run: (call) => spec.run(call as Call<F>) };
}

export function isGroup(node: Command | CommandGroup): node is CommandGroup {
  return "commands" in node;
}

export async function loaded(node: Node): Promise<Command | CommandGroup> {
  return "load" in node ? await node.load() : node;
}
