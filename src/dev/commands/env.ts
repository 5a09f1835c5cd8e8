import { misuse } from "../../api/failure.ts";
import { command } from "../../cli/command.ts";
import { layoutOf } from "../cluster/arguments.ts";
import { admin } from "../cluster/credentials.ts";
import { handleOn } from "../cluster/handle.ts";
import { type ClusterState, clusterDirectory, requireUp } from "../cluster/state.ts";
import { nameFlag } from "./flags.ts";

export const env = command({
  name: "env",
  says: 'shell variables to use it: eval "$(portway dev env)"',
  flags: {
    ...nameFlag,
    user: { says: "as this tenant instead of the admin", value: "NAME" },
    "service-account": { says: "as this ServiceAccount, with a token minted now", value: "NAMESPACE/NAME" },
  },
  async run({ flags, env, terminal }) {
    const state = await requireUp(env, flags.name ?? "dev");
    const layout = layoutOf(clusterDirectory(env, state.name));
    const handle = handleOn(state.kubeconfigs, layout, `${layout.bin}/kubectl`);
    const account = flags["service-account"];
    if (account !== undefined && flags.user !== undefined) {
      throw misuse("--user and --service-account are two identities", "Give one of them.");
    }
    const kubeconfig =
      account === undefined
        ? handle.kubeconfigOf(flags.user ?? admin)
        : await handle.serviceAccount(...accountOf(account));
    terminal.result(exportsOf(state, kubeconfig, layout.bin));
  },
});

function accountOf(words: string): [namespace: string, name: string] {
  const [namespace, name, ...more] = words.split("/");
  if (namespace && name && more.length === 0) return [namespace, name];
  throw misuse(`"${words}" names no ServiceAccount`, "Write NAMESPACE/NAME, for example default/csi-provisioner.");
}

export function exportsOf(state: ClusterState, kubeconfig: string, bin: string): string {
  const values = Object.entries({ KUBECONFIG: kubeconfig, ...state.env });
  return [
    ...values.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `export PATH=${quoted(bin)}:"$PATH"`,
  ].join("\n");
}

/** Safe in any POSIX shell, whatever the value holds. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
