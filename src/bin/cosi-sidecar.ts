import { misuse } from "../api/failure.ts";
import { command } from "../cli/command.ts";
import { controllerFlags } from "../runtime/flags.ts";
import { build } from "./build.ts";

const flags = {
  "driver-address": { says: "the driver's socket (unix:///var/lib/cosi/cosi.sock)", value: "ADDRESS" },
  "instance-id": {
    says: "who we are among those who may have the driver's name; the same in every replica (NAMESPACE/cosi-sidecar)",
    value: "NAME",
  },
  timeout: { says: "how long a call to the driver may take (30s)", value: "DURATION" },
  ...controllerFlags,
} as const;

/** A bucket takes about a dozen requests, and a driver is seldom faster than a few dozen a second. */
const rate = { perSecond: 100, burst: 200 } as const;

/** Beside any bucket driver: what a tenant asks for in the cluster, asked of the driver. */
export const cosiSidecar = command({
  name: "cosi-sidecar",
  says: "make, grant, revoke and delete the buckets of one driver",
  flags,
  async run({ flags: { "driver-address": address, "instance-id": instanceID, timeout, ...flags }, env, stop }) {
    if (instanceID === "") throw misuse("--instance-id is empty", "Leave it out, or write a name.");
    // Loaded here: whoever types kubectl portway does not wait for it.
    const { operateSidecar } = await import("../buckets/sidecar/operate.ts");
    const { controllerSettings } = await import("../runtime/flags.ts");
    const { durationOf } = await import("../runtime/flag-values.ts");
    const timeoutSeconds = durationOf(timeout ?? "30s", "--timeout");
    if (timeoutSeconds <= 0) throw misuse("--timeout=0 would wait for no answer", "Write it like 30s.");
    return await operateSidecar({
      build,
      settings: controllerSettings(flags, { gates: {}, rate, httpEndpoint: "" }),
      socket: address ?? "unix:///var/lib/cosi/cosi.sock",
      instanceID,
      timeoutSeconds,
      env,
      stop,
    });
  },
});
