import { dump } from "js-yaml";
import { misuse } from "../../api/failure.ts";
import { command } from "../../cli/command.ts";
import { duration } from "../build/progress.ts";
import { type ClusterState, requireUp } from "../cluster/state.ts";
import { nameFlag, outputFlag } from "./flags.ts";

export const status = command({
  name: "status",
  says: "what is running",
  flags: { ...nameFlag, ...outputFlag },
  async run({ flags, env, terminal }) {
    const state = await requireUp(env, flags.name ?? "dev");
    terminal.result(shown(state, flags.output));
  },
});

function shown(state: ClusterState, output: string | undefined): string {
  switch (output) {
    case undefined:
      return textOf(state, Date.now());
    case "json":
      return JSON.stringify(state, null, 2);
    case "yaml":
      return dump(state).trimEnd();
    default:
      throw misuse(`-o ${output} is not known`, "It takes json or yaml.");
  }
}

export function textOf(state: ClusterState, now: number): string {
  const age = duration((now - Date.parse(state.startedAt)) / 1000);
  const users = Object.keys(state.kubeconfigs).filter((user) => !user.startsWith("system:"));
  const rows = [
    ["server", `${state.server}, Kubernetes ${state.kubernetes}, up for ${age}`],
    ["add-ons", state.addons.join(", ") || "none"],
    ["users", users.join(", ")],
    ["process", `${state.pid}`],
    ...state.components.map(({ name, pid, log }) => [name, `process ${pid}, log ${log}`] as const),
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}
