import { equal } from "node:assert/strict";
import { test } from "node:test";
import { type Variant, variantFor } from "./variant.ts";

const group = "admissionregistration.k8s.io";
const cases: readonly (readonly [says: string, served: Parameters<typeof variantFor>[0], variant: Variant])[] = [
  ["a server with the kind has the policy", [{ group, version: "v1", plural: "mutatingadmissionpolicies" }], "policy"],
  ["one without it has the webhook", [{ group, version: "v1", plural: "mutatingwebhookconfigurations" }], "webhook"],
  ["a beta of the kind is none", [{ group, version: "v1beta1", plural: "mutatingadmissionpolicies" }], "webhook"],
  ["a namesake is none", [{ group: "example.dev", version: "v1", plural: "mutatingadmissionpolicies" }], "webhook"],
  ["a server that serves nothing of it has the webhook", [], "webhook"],
];

for (const [says, served, variant] of cases) {
  test(says, () => equal(variantFor(served), variant));
}
