import { type Command, type CommandGroup, type Flag, isGroup } from "./command.ts";

/** The help text of a command or a group, made from the same table that is parsed. */
export function helpOf(node: Command | CommandGroup, path: readonly string[]): string {
  const title = `${path.join(" ")}: ${node.says}`;
  if (isGroup(node)) {
    const rows = node.commands.map((c): Row => [c.name, c.says]);
    return [title, "", "Commands:", ...columns(rows), "", `"${path.join(" ")} <command> --help" says more.`].join("\n");
  }
  const ways = (node.takes ?? "").split(" | ");
  const usage = ways.map((way) => [path.join(" "), way, "[flags]"].filter((word) => word !== "").join(" "));
  const [own, shared] = [rowsOf(node, false), rowsOf(node, true)];
  const examples = node.examples === undefined ? [] : ["", "Examples:", ...node.examples.map((line) => `  ${line}`)];
  return [
    title,
    "",
    `Usage: ${usage.join("\n       ")}`,
    ...examples,
    "",
    "Flags:",
    ...columns([...own, ["-h, --help", "show this text"]]),
    ...(shared.length === 0 ? [] : ["", "As in kubectl:", ...columns(shared)]),
  ].join("\n");
}

function rowsOf({ flags }: Command, ofKubectl: boolean): Row[] {
  const some = Object.entries(flags).filter(([, flag]) => (flag.ofKubectl === true) === ofKubectl);
  return some.map(([name, flag]): Row => [flagTitle(name, flag), flag.says]);
}

type Row = readonly [left: string, right: string];

function flagTitle(name: string, flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  if (flag.short === name) return `-${name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
  return `${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}${flag.repeatable === true ? " …" : ""}`;
}

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
