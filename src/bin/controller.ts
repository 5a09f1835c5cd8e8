import { misuse } from "../api/failure.ts";
import { command } from "../cli/command.ts";
import { controllerFlags } from "../runtime/flags.ts";
import { build } from "./build.ts";

const flags = {
  domains: { says: "what to do: transfer or buckets", value: "NAME" },
  transfers: { says: "off: begin no new transfers, and finish those under way (on)", value: "on|off" },
  "max-pending-gives": { says: "how many gives of one namespace may wait for somebody (50)", value: "NUMBER" },
  ...controllerFlags,
  "kube-api-qps": { says: "requests a second to the API server (300); -1 for no limit", value: "NUMBER" },
  "kube-api-burst": { says: "requests at once beyond that (600)", value: "NUMBER" },
} as const;

/** A transfer takes about 22 requests, Events included, and the binder lets ten a second through. */
const rate = { perSecond: 300, burst: 600 } as const;

/** One process is one account: which domains share one is decided by the rights they need. */
export const controller = command({
  name: "controller",
  says: "run controllers, in a cluster or beside one",
  flags,
  async run({ flags: { domains = "", transfers = "on", "max-pending-gives": gives = "50", ...flags }, env, stop }) {
    if (domains !== "transfer" && domains !== "buckets")
      throw misuse(`--domains does not know "${domains}"`, "Write --domains=transfer or --domains=buckets.");
    if (transfers !== "on" && transfers !== "off")
      throw misuse(`--transfers is neither on nor off but "${transfers}"`, "Write one of the two.");
    if (!/^\d{1,6}$/.test(gives)) throw misuse(`--max-pending-gives is no number but "${gives}"`, "Write a number.");
    // Loaded here: whoever types kubectl portway does not wait for it.
    const { operate } = await import("../runtime/operate.ts");
    const { controllerSettings } = await import("../runtime/flags.ts");
    const process = { build, settings: controllerSettings(flags, { gates: {}, rate }), env, stop } as const;
    if (domains === "buckets") {
      const { bucketControllers } = await import("../buckets/controller/controller.ts");
      return await operate({ component: "portway-buckets", ...process, controllers: bucketControllers });
    }
    const { transferControllers } = await import("../transfer/controller.ts");
    const options = { transfersAreOn: transfers === "on", mostPending: Number(gives) } as const;
    return await operate({
      component: "portway-transfer",
      ...process,
      controllers: (engine) => transferControllers(engine, options),
    });
  },
});
