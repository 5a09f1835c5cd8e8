import { Failure } from "../../api/failure.ts";
import type { ExecWords } from "./kubeconfig.ts";

/** An exec plugin that can be run. */
export interface ExecSpec extends ExecWords {
  readonly apiVersion: string;
  readonly command: string;
  readonly interactiveMode: InteractiveMode;
}

export type InteractiveMode = (typeof interactiveModes)[number];

const interactiveModes = ["Never", "IfAvailable", "Always"] as const;
const v1 = "client.authentication.k8s.io/v1";
const apiVersions = [v1, "client.authentication.k8s.io/v1beta1"];

export function execSpec(words: ExecWords): ExecSpec {
  const { place, apiVersion, command } = words;
  if (apiVersion === undefined || !apiVersions.includes(apiVersion))
    throw new Failure(
      `${place} has the apiVersion "${apiVersion ?? ""}", which is not supported`,
      `Use ${apiVersions.join(" or ")}; most plugins write it into the kubeconfig when they set it up again.`,
    );
  if (command === undefined) throw new Failure(`${place} names no command`, "Add the command of the plugin.");
  return { ...words, apiVersion, command, interactiveMode: interactiveModeOf(words) };
}

function interactiveModeOf({ place, apiVersion, interactiveMode }: ExecWords): InteractiveMode {
  // Optional before v1, where client-go wants it written.
  const wanted = interactiveMode ?? (apiVersion === v1 ? "" : "IfAvailable");
  const mode = interactiveModes.find((known) => known === wanted);
  if (mode !== undefined) return mode;
  const what = wanted === "" ? "has no interactiveMode" : `has the unknown interactiveMode "${wanted}"`;
  throw new Failure(`${place} ${what}`, `Use one of ${interactiveModes.join(", ")}.`);
}
