import { operateConformance } from "../../src/buckets/conformance/operate.ts";
import type { Result } from "../../src/buckets/conformance/run.ts";

interface Report {
  readonly driver: string;
  readonly capabilities: readonly string[];
  readonly checks: readonly Result[];
}

/** What `portway cosi-conformance -o json` says of this driver. */
export async function reportOn(address: string, { asksStore }: { readonly asksStore: boolean }) {
  const said: string[] = [];
  const code = await operateConformance({
    address,
    output: "json",
    parameters: {},
    asksStore,
    timeoutSeconds: 30,
    print: (text) => void said.push(text),
    stop: new AbortController().signal,
  });
  const report = JSON.parse(said.join("\n")) as Report;
  return { code, report, failed: report.checks.flatMap((one) => (one.result === "failed" ? [one] : [])) };
}
