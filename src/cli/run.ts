import { type ParseArgsConfig, parseArgs } from "node:util";
import { Failure, misuse } from "../api/failure.ts";
import { type Call, type Command, type CommandGroup, type Flag, type Flags, isGroup, loaded } from "./command.ts";
import { helpOf } from "./help.ts";

type Surroundings = Pick<Call, "terminal" | "env" | "stop" | "version">;

/** Runs the command the words name and answers the exit code: 0 done, 1 failed, 2 called wrongly. */
export async function runCommand(root: CommandGroup, words: readonly string[], around: Surroundings): Promise<number> {
  try {
    const { node, path, rest } = await findCommand(root, words);
    if (rest.includes("--help") || rest.includes("-h")) {
      around.terminal.result(helpOf(node, path));
      return 0;
    }
    if (isGroup(node)) throw unknownCommand(node, path, rest[0]);
    return (await node.run({ ...parse(node, path, rest), ...around })) ?? 0;
  } catch (problem) {
    if (around.stop.aborted && problem === around.stop.reason) {
      around.terminal.say("stopped; nothing is left running");
      return 1;
    }
    if (!(problem instanceof Failure)) throw problem;
    around.terminal.say(`error: ${problem.message}\n${problem.next}`);
    return problem.exitCode;
  }
}

export interface Found {
  readonly node: Command | CommandGroup;
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

/** The command that the words name, or the group in which they stop to name one. */
export async function findCommand(root: CommandGroup, words: readonly string[]): Promise<Found> {
  let found: Found = { node: root, path: [root.name], rest: words };
  while (isGroup(found.node)) {
    const [word, ...rest] = found.rest;
    const next = found.node.commands.find((c) => c.name === word);
    if (next === undefined) break;
    found = { node: await loaded(next), path: [...found.path, next.name], rest };
  }
  return found;
}

function unknownCommand(group: CommandGroup, path: readonly string[], word: string | undefined): Failure {
  const names = group.commands.map((c) => c.name).join(", ");
  if (word === undefined) return misuse(`${path.join(" ")} needs a command`, `One of: ${names}.`);
  return misuse(`${path.join(" ")} has no command "${word}"`, `One of: ${names}.`);
}

function parse(node: Command, path: readonly string[], rest: readonly string[]): Pick<Call, "flags" | "positionals"> {
  const seeHelp = `See "${path.join(" ")} --help".`;
  try {
    const { values, positionals } = parseArgs({
      args: rest.flatMap((word, index) => asGoWrites(word, node.flags, rest.slice(0, index).includes("--"))),
      options: optionsOf(node.flags),
      allowPositionals: true,
    });
    const most = Math.max(0, ...(node.takes?.split(" | ") ?? []).map(places));
    if (positionals.length > most)
      throw misuse(`${path.join(" ")} does not take "${positionals[most] ?? ""}"`, seeHelp);
    return { flags: values as Call["flags"], positionals };
  } catch (problem) {
    if (problem instanceof Failure) throw problem;
    throw misuse(firstSentence(problem), seeHelp);
  }
}

/** How many arguments one way of calling a command has room for; `…` stands for as many as one likes. */
function places(takes: string): number {
  if (takes.includes("…")) return Number.POSITIVE_INFINITY;
  // Flags that belong to another way of calling it are no places.
  const words = takes.replaceAll(/-\w \S+/g, "").split(" ");
  return words.filter((word) => word !== "").length;
}

/** Go's flags may be written `--wait=false` and `-n=team-a`, and people who come from kubectl do so. */
function asGoWrites(word: string, flags: Flags, isPositional: boolean): readonly string[] {
  if (isPositional) return [word];
  const alone = word.startsWith("--") ? flags[word.slice(2)]?.bare : undefined;
  if (alone !== undefined) return [`${word}=${alone}`];
  const [sign = ""] = /^--?[^=-][^=]*(?==)/.exec(word) ?? [];
  const flag = flagOf(sign, flags);
  if (flag === undefined) return [word];
  const value = word.slice(sign.length + 1);
  if (flag.value !== undefined) return sign.startsWith("--") ? [word] : [sign, value];
  return switchWith(sign, value) ?? [word];
}

function flagOf(sign: string, flags: Flags): Flag | undefined {
  if (sign.startsWith("--")) return flags[sign.slice(2)];
  return Object.values(flags).find(({ short }) => sign === `-${short ?? ""}`);
}

function switchWith(sign: string, value: string): readonly string[] | undefined {
  return value === "true" ? [sign] : value === "false" ? [] : undefined;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

function optionsOf(flags: Flags): Options {
  const options: Options = {};
  for (const [name, flag] of Object.entries(flags)) {
    const multiple = flag.repeatable === true;
    const short = flag.short === undefined ? {} : { short: flag.short };
    if (flag.value === undefined) options[name] = { type: "boolean", default: false, ...short };
    else options[name] = { type: "string", multiple, ...short, ...(multiple ? { default: [] } : {}) };
  }
  return options;
}

function firstSentence(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.split(". ")[0] ?? text;
}
