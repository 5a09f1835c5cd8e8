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
  async run({ flags, env, stop }) {
    // Loaded here: whoever types kubectl portway does not wait for it.
    const { operateProvisioner, gates } = await import("../provision/operate.ts");
    const { provisionSettings } = await import("../provision/settings.ts");
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
    return await operateProvisioner({
      build,
      settings: controllerSettings(shared, defaults),
      provision: provisionSettings(flags),
      env,
      stop,
    });
  },
});
