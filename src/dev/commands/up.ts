import { type Call, command } from "../../cli/command.ts";
import { addonNames } from "../addons/names.ts";
import { duration } from "../build/progress.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type ClusterOptions, clusterOptions } from "../cluster/options.ts";
import { detach, waitingTerminal } from "./detached.ts";
import { nameFlag } from "./flags.ts";

const flags = {
  ...nameFlag,
  with: { says: `add-ons: ${addonNames.join(", ")}`, value: "ADD-ON,…", repeatable: true },
  user: {
    says: "a tenant with a kubeconfig, for example alice:team-a:edit",
    value: "NAME[:NAMESPACE:ROLE]",
    repeatable: true,
  },
  kubernetes: { says: "another pinned version: 1.35, 1.34 or 1.33", value: "VERSION" },
  emulate: { says: "let the server behave like an older minor version", value: "VERSION" },
  "feature-gates": { says: "for all components", value: "NAME=BOOL,…" },
  "apiserver-arg": { says: "a flag for kube-apiserver", value: "--FLAG=VALUE", repeatable: true },
  "kcm-arg": { says: "a flag for kube-controller-manager", value: "--FLAG=VALUE", repeatable: true },
  port: { says: "the API server's port; a free one when not given", value: "PORT" },
  existing: { says: "start no control plane, use the one of --kubeconfig" },
  kubeconfig: { says: "the admin kubeconfig of an existing cluster", value: "PATH" },
  detach: { says: "return when the cluster is ready, and leave it running", short: "d" },
} as const;

export const up = command({
  name: "up",
  says: "start it, and stop it with Ctrl-C",
  flags,
  async run(call) {
    const options = clusterOptions(call.flags);
    if (call.flags.detach) return await detach(call);
    return await attend(options, call);
  },
});

/** Keeps the cluster for as long as nobody says stop and nothing in it dies. */
async function attend(options: ClusterOptions, { terminal, env, stop }: Call<typeof flags>): Promise<number> {
  const start = performance.now();
  const waiting = waitingTerminal();
  const halt = waiting === undefined ? stop : AbortSignal.any([stop, waiting.closed]);
  const cluster = await startCluster(options, { env, terminal, stop: halt, keepLogs: true });
  terminal.say(welcome(cluster, duration((performance.now() - start) / 1000)));
  waiting?.tellReady();

  const broken = await Promise.race([cluster.broken, aborted(halt)]);
  // The reason comes before anything else is said: whatever follows from it is noise.
  if (broken !== undefined)
    terminal.say(`error: ${broken}\nThe cluster is stopped. Its logs are in ${cluster.layout.logs}`);
  terminal.progress("stopping");
  await cluster.stop();
  terminal.say(`the cluster "${options.name}" is down${leftBehind(options)}`);
  return broken === undefined ? 0 : 1;
}

/** CRDs and classes in somebody else's cluster are not ours to delete: objects of others may hang on them. */
function leftBehind({ existing, addons }: ClusterOptions): string {
  return existing === undefined || addons.length === 0
    ? ""
    : `; what ${addons.join(", ")} applied is left in the cluster`;
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  if (signal.aborted) resolve(undefined);
  return await promise;
}

function welcome({ state }: Cluster, took: string): string {
  const which = state.name === "dev" ? "" : ` --name ${state.name}`;
  const addons = state.addons.length === 0 ? "" : ` with ${state.addons.join(", ")}`;
  return [
    `Kubernetes ${state.kubernetes}${addons} is up after ${took}: ${state.server}`,
    `  use it in a shell:  eval "$(portway dev env${which})"`,
    `  stop it:            portway dev down${which}`,
  ].join("\n");
}
