import { misuse } from "../api/failure.ts";
import { command } from "../cli/command.ts";
import { processFlags } from "../runtime/flags.ts";
import { build } from "./build.ts";

const flags = {
  "webhook-endpoint": { says: "answer the API server here (:9443)", value: "[HOST]:PORT" },
  "certificate-lifetime": {
    says: "how long a certificate is good; a new one comes at two thirds (2160h)",
    value: "DURATION",
  },
  "shutdown-delay-duration": { says: "answer for this long still when asked to stop (5s)", value: "DURATION" },
  ...processFlags,
} as const;

const shortestLifetimeSeconds = 12;

/** All replicas are at work; none of them leads. */
export const webhook = command({
  name: "webhook",
  says: "answer the API server when a claim is given or accepted",
  flags,
  async run({ flags, env, stop }) {
    // Loaded here: whoever types kubectl portway does not wait for it.
    const { operateWebhook } = await import("../admission/operate.ts");
    const { processSettings } = await import("../runtime/flags.ts");
    const { durationOf, endpointOf } = await import("../runtime/flag-values.ts");
    const endpoint = endpointOf(flags["webhook-endpoint"] ?? ":9443", "--webhook-endpoint");
    if (endpoint === undefined) throw misuse("--webhook-endpoint is empty", "Write it like :9443.");
    const lifetime = durationOf(flags["certificate-lifetime"] ?? "2160h", "--certificate-lifetime");
    if (lifetime < shortestLifetimeSeconds)
      throw misuse(`--certificate-lifetime is under ${shortestLifetimeSeconds}s`, "Write it like 2160h.");
    return await operateWebhook({
      build,
      settings: processSettings(flags, {}),
      endpoint,
      certificateLifetimeSeconds: lifetime,
      shutdownDelaySeconds: durationOf(flags["shutdown-delay-duration"] ?? "5s", "--shutdown-delay-duration"),
      env,
      stop,
    });
  },
});
