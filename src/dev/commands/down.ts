import { Failure } from "../../api/failure.ts";
import { command } from "../../cli/command.ts";
import { clusterDirectory, requireHolder } from "../cluster/state.ts";
import { untilReleased } from "../lock.ts";
import { nameFlag } from "./flags.ts";

const withinSeconds = 60;

export const down = command({
  name: "down",
  says: "stop it and remove its data; the logs stay",
  flags: nameFlag,
  async run({ flags, env, terminal, stop }) {
    const name = flags.name ?? "dev";
    const pid = await requireHolder(env, name);
    process.kill(pid, "SIGTERM");
    terminal.progress(`stopping "${name}"`);
    const late = AbortSignal.timeout(withinSeconds * 1000);
    try {
      await untilReleased(clusterDirectory(env, name), AbortSignal.any([stop, late]));
    } catch (problem) {
      if (!late.aborted) throw problem;
      throw new Failure(
        `"${name}" (process ${pid}) is still there after ${withinSeconds} s`,
        `End it with "kill -9 ${pid}"; its processes go with it.`,
      );
    }
    terminal.say(`the cluster "${name}" is down`);
  },
});
