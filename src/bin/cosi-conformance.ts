import { misuse } from "../api/failure.ts";
import { command } from "../cli/command.ts";

const flags = {
  "driver-address": { says: "the driver's socket (unix:///var/lib/cosi/cosi.sock)", value: "ADDRESS" },
  parameter: { says: "what every bucket of this driver needs, as KEY=VALUE", value: "PARAMETER", repeatable: true },
  "without-store": { says: "believe the keys: the store cannot be reached from here" },
  timeout: { says: "how long a call, or a request to the store, may take (30s)", value: "DURATION" },
  output: { says: "json instead of a line for each check", value: "json", short: "o" },
} as const;

/** For those who write a bucket driver, as csi-sanity is for CSI. */
export const cosiConformance = command({
  name: "cosi-conformance",
  says: "try on a live bucket driver everything that a sidecar relies on",
  examples: ["portway cosi-conformance --driver-address=unix:///tmp/cosi.sock"],
  flags,
  async run({ flags, terminal, stop }) {
    const { operateConformance } = await import("../buckets/conformance/operate.ts");
    const { durationOf } = await import("../runtime/flag-values.ts");
    const { output = "text" } = flags;
    if (output !== "text" && output !== "json") throw misuse(`-o ${output} is not known here`, "Use -o json.");
    return await operateConformance({
      address: flags["driver-address"] ?? "unix:///var/lib/cosi/cosi.sock",
      output,
      parameters: Object.fromEntries(flags.parameter.map(parameterIn)),
      asksStore: !flags["without-store"],
      timeoutSeconds: durationOf(flags.timeout ?? "30s", "--timeout"),
      print: (text) => terminal.result(text),
      stop,
    });
  },
});

function parameterIn(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw misuse(`--parameter=${text} has no "="`, "Write it like --parameter=region=eu-1.");
}
