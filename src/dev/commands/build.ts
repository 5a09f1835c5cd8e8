import { misuse } from "../../api/failure.ts";
import { command } from "../../cli/command.ts";
import { build } from "../build/build.ts";
import { allParts } from "../build/parts.ts";
import { partsDirectory } from "../paths.ts";

const names = allParts.map((part) => part.name);

export const buildCommand = command({
  name: "build",
  says: "build parts ahead of time; without names, the control plane",
  takes: names.map(() => "[part]").join(" "),
  flags: { all: { says: "every part, older versions of Kubernetes too" } },
  async run({ flags, positionals, env, terminal, stop }) {
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined) throw misuse(`there is no part "${unknown}"`, `The parts: ${names.join(", ")}.`);
    const wanted = positionals.length > 0 ? positionals : ["controlplane"];
    for (const part of allParts.filter(({ name }) => flags.all || wanted.includes(name))) {
      const { directory } = await build(part, { directory: partsDirectory(env), terminal, stop });
      terminal.result(`${part.name}\t${directory}`);
    }
  },
});
