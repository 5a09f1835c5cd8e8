import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../api/failure.ts";
import { command } from "../../cli/command.ts";
import { layoutOf } from "../cluster/arguments.ts";
import { clusterDirectory } from "../cluster/state.ts";
import { nameFlag } from "./flags.ts";

export const logs = command({
  name: "logs",
  says: "the log of a component, also after it went down; without a name, which there are",
  takes: "[component]",
  flags: nameFlag,
  async run({ flags, positionals, env, terminal }) {
    const name = flags.name ?? "dev";
    const folder = layoutOf(clusterDirectory(env, name)).logs;
    const files = await readdir(folder).catch(() => []);
    const names = files.map((file) => file.replace(/\.log$/, "")).sort();
    if (names.length === 0) throw new Failure(`there are no logs of a cluster "${name}"`, "Start it: portway dev up");
    const [component] = positionals;
    if (component === undefined) return terminal.result(names.join("\n"));
    if (!names.includes(component))
      throw new Failure(`"${name}" has no log of "${component}"`, `It has ${names.join(", ")}.`);
    await pipeline(createReadStream(join(folder, `${component}.log`)), process.stdout, { end: false });
  },
});
