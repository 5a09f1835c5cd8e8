import type { KubeObject, Resource } from "../../api/object.ts";

const group = "admissionregistration.k8s.io";

/** Of the kinds of admission, only what is looked at here. */
export interface Policy extends KubeObject {
  readonly status?: {
    readonly typeChecking?: { readonly expressionWarnings?: readonly { readonly warning: string }[] };
  };
}

export interface PolicyBinding extends KubeObject {
  readonly spec?: { readonly policyName?: string; readonly validationActions?: readonly string[] };
}

export interface Webhooks extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: {
      /** Base64 of PEM. */
      readonly caBundle?: string;
      readonly service?: { readonly namespace: string; readonly name: string };
    };
  }[];
}

export interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

export const validatingPolicies: Resource<Policy> = {
  group,
  version: "v1",
  plural: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  namespaced: false,
};

export const validatingBindings: Resource<PolicyBinding> = {
  group,
  version: "v1",
  plural: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  namespaced: false,
};

/** Of whichever version the server has: it is found by asking, never by the server's age. */
export const mutatingKinds = { policies: "mutatingadmissionpolicies", bindings: "mutatingadmissionpolicybindings" };
export const mutatingVersions = ["v1", "v1beta1", "v1alpha1"] as const;
export const admissionGroup = group;

export const mutatingWebhooks: Resource<Webhooks> = {
  group,
  version: "v1",
  plural: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
};

export const endpointSlices: Resource<EndpointSlice> = {
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
};
