import { parseArgs } from "node:util";
import { type Call, type Command, type CommandGroup, type Flag, isGroup } from "../command.ts";
import { type ClientFlagValues, clientFlags } from "../kubectl/flags.ts";
import { findCommand } from "../run.ts";
import { namesFor } from "./names.ts";

/** What may come next, and whether the shell may add a blank; with file names only where a file is wanted. */
export interface Offer {
  readonly values: readonly (readonly [value: string, says?: string])[];
  readonly stays?: boolean;
  readonly isFile?: boolean;
}

const nothing: Offer = { values: [] };
type Surroundings = Pick<Call, "terminal" | "env" | "stop" | "version">;

/** The protocol of kubectl_complete-portway: a value a line with its help after a tab, and a line with a number of bits. */
export async function completed(root: CommandGroup, words: readonly string[], around: Surroundings): Promise<string> {
  const { values, stays = false, isFile = false } = await offerFor(root, words, around);
  // 2: no blank after it; 4: no file names.
  const bits = (stays ? 2 : 0) + (isFile ? 0 : 4);
  return [...values.map((value) => value.join("\t")), `:${bits}`].join("\n");
}

async function offerFor(root: CommandGroup, words: readonly string[], around: Surroundings): Promise<Offer> {
  const [before, partial] = [words.slice(0, -1), words.at(-1) ?? ""];
  const { node, rest } = await findCommand(root, before);
  if (isGroup(node)) {
    if (rest.length > 0) return nothing;
    return starting(
      partial,
      node.commands.map(({ name, says }) => [name, says]),
    );
  }
  const typing = flagBeingTyped(node, rest, partial);
  if (typing !== undefined) return await valuesOf(typing.flag, typing.value, before, around);
  if (partial.startsWith("-")) return starting(partial, flagsOf(node));
  const kind = completedAt(node, positionalsIn(node, rest));
  if (kind === undefined) return nothing;
  if (typeof kind === "string") return await namesFor(kind, partial, clientValues(before), around);
  return starting(
    partial,
    kind.map((word) => [word]),
  );
}

function completedAt({ takes = "", completes = [] }: Command, index: number): (typeof completes)[number] | undefined {
  return completes[index] ?? (takes.includes("…") ? completes.at(-1) : undefined);
}

/** After `--flag value` and `--flag=value` alike; what is offered takes the place of the value alone. */
function flagBeingTyped(node: Command, rest: readonly string[], partial: string) {
  const pending = flagBefore(node, rest);
  if (pending !== undefined) return { flag: pending, value: partial };
  const [, named = "", value = ""] = /^(--[^=]+)=(.*)$/.exec(partial) ?? [];
  const flag = flagBefore(node, [named]);
  return flag === undefined ? undefined : { flag, value };
}

function starting(partial: string, values: Offer["values"]): Offer {
  return { values: values.filter(([value]) => value.startsWith(partial)) };
}

function flagsOf({ flags }: Command): Offer["values"] {
  return Object.entries(flags).map(([name, { says, short }]) => [short === name ? `-${name}` : `--${name}`, says]);
}

/** The flag whose value is being typed. */
function flagBefore({ flags }: Command, rest: readonly string[]): (Flag & { readonly name: string }) | undefined {
  const word = rest.at(-1) ?? "";
  const found = Object.entries(flags).find(([name, { short }]) => word === `--${name}` || word === `-${short ?? "-"}`);
  return found?.[1].value === undefined ? undefined : { ...found[1], name: found[0] };
}

async function valuesOf(
  flag: Flag & { readonly name: string },
  partial: string,
  before: readonly string[],
  around: Surroundings,
): Promise<Offer> {
  if (flag.name === "namespace") return await namesFor("namespace", partial, clientValues(before), around);
  if (flag.completes !== undefined) return await namesFor(flag.completes, partial, clientValues(before), around);
  if (flag.value === "FILE" || flag.value === "PATH") return { values: [], isFile: true };
  if (flag.value?.includes("|") !== true) return nothing;
  return starting(
    partial,
    flag.value.split("|").map((value) => [value]),
  );
}

function positionalsIn({ flags }: Command, rest: readonly string[]): number {
  return rest.filter((word, index) => {
    return !word.startsWith("-") && flagBefore({ flags } as Command, rest.slice(0, index)) === undefined;
  }).length;
}

/** As far as they are typed; what is half a command line is no reason to complain. */
function clientValues(words: readonly string[]): ClientFlagValues {
  const options = Object.fromEntries(
    Object.entries(clientFlags).map(([name, flag]) => [
      name,
      {
        type: "value" in flag ? ("string" as const) : ("boolean" as const),
        multiple: "repeatable" in flag,
        ...("short" in flag ? { short: flag.short } : {}),
      },
    ]),
  );
  const { values } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true });
  // A flag at the end that still waits for its value is there and has none.
  const textsIn = (value: unknown) => [value].flat().filter((one) => typeof one === "string");
  const typed = Object.entries(clientFlags).map(([name, flag]) => {
    if (!("value" in flag)) return [name, values[name] === true];
    return [name, "repeatable" in flag ? textsIn(values[name]) : textsIn(values[name])[0]];
  });
  return Object.fromEntries(typed) as ClientFlagValues;
}
