import type { Resource } from "../api/object.ts";

/** Who acts on a claim in the write that gives or accepts it: a policy inside the API server, or `portway webhook`. */
export type Variant = "policy" | "webhook";

/** Under deploy/; one of them is installed. */
export const variantManifest: Readonly<Record<Variant, string>> = {
  policy: "admission/mutating-policy.yaml",
  webhook: "admission/webhook.yaml",
};

/**
 * From what the server serves of `admissionregistration.k8s.io/v1`, and never from its version: a feature can be on or off in
 * either. The older versions of the kind do not count; they go away.
 */
export function variantFor(served: readonly Pick<Resource, "group" | "version" | "plural">[]): Variant {
  const isServed = served.some(
    ({ group, version, plural }) =>
      group === "admissionregistration.k8s.io" && version === "v1" && plural === "mutatingadmissionpolicies",
  );
  return isServed ? "policy" : "webhook";
}
