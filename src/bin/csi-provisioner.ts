import { misuse } from "../api/failure.ts";
import { command } from "../cli/command.ts";
import { provisionFlags } from "../provision/flags.ts";
import { build } from "./build.ts";

/** No limit of our own: the server's priority and fairness is the better one. */
const unlimited = { perSecond: -1, burst: 1 } as const;

/** In the place of kubernetes-csi/external-provisioner, beside any CSI driver. */
export const csiProvisioner = command({
  name: "csi-provisioner",
  says: "make and delete the volumes of a CSI driver, in the place of external-provisioner",
  flags: provisionFlags,
  async run({ flags, env, stop, terminal }) {
    if (flags.version) return terminal.result(`csi-provisioner of portway ${build.version}`);
    if (flags["http-endpoint"] !== undefined && flags["metrics-address"] !== undefined)
      throw misuse("--metrics-address is the old name of --http-endpoint", "Give one of the two.");
    // Loaded here: whoever types kubectl portway does not wait for it.
    const { operateProvisioner } = await import("../provision/operate.ts");
    const { gates } = await import("../provision/gates.ts");
    const { labelsOf, provisionSettings } = await import("../provision/settings.ts");
    const { controllerSettings } = await import("../runtime/flags.ts");
    const shared = {
      ...flags,
      workers: flags["worker-threads"],
      "http-endpoint": flags["http-endpoint"] ?? flags["metrics-address"],
      "log-format": flags["log-format"] ?? flags["logging-format"],
      "leader-election-retry-period": flags["leader-election-retry-period"] ?? "5s",
      // As external-provisioner has it: the environment wins.
      kubeconfig: env["KUBECONFIG"] || flags.kubeconfig,
    };
    const defaults = { gates, rate: unlimited, httpEndpoint: "", leaderElection: false, workers: 100 };
    const settings = controllerSettings(shared, defaults);
    return await operateProvisioner({
      build,
      settings: {
        ...settings,
        metricsPath: flags["metrics-path"],
        election: { ...settings.election, labels: labelsOf(flags["leader-election-labels"]) },
        target: { ...settings.target, server: flags.master },
      },
      provision: provisionSettings(flags),
      env,
      stop,
    });
  },
});
