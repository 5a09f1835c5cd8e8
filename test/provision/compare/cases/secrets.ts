import type { Case, Step } from "../case.ts";
import { bound, claim, deleted, destroyed, look, refused, secret, storageClass, withdrawn } from "../objects.ts";

const prefix = "csi.storage.k8s.io";
const uses = [
  "provisioner-secret",
  "controller-publish-secret",
  "node-stage-secret",
  "node-publish-secret",
  "controller-expand-secret",
  "node-expand-secret",
] as const;
type Use = (typeof uses)[number];

const pair = (use: Use | "secret", name: string, namespace = "$case") => ({
  [`${prefix}/${use}-name`]: name,
  [`${prefix}/${use}-namespace`]: namespace,
});

const login = secret("login", { user: "portway", password: "correct horse" });

function refusedFor(says: string, parameters: Readonly<Record<string, string>>, ...before: readonly Step[]): Case {
  const steps = [
    ...before,
    storageClass({ parameters }),
    claim("data"),
    refused("data"),
    look("refused"),
    ...withdrawn("data"),
  ];
  return { says, on: ["secrets"], steps };
}

/** Only the provisioner's own Secret is ever read; the others become references in the volume. */
export const secretCases: readonly Case[] = [
  {
    says: "the provisioner's secret is sent when the volume is made and when it is destroyed",
    on: ["secrets"],
    steps: [
      login,
      storageClass({ parameters: pair("provisioner-secret", "login") }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "secrets for every use become references in the volume",
    on: ["secrets"],
    steps: [
      login,
      storageClass({
        parameters: Object.fromEntries(
          uses.flatMap((use) => Object.entries(pair(use, use === "provisioner-secret" ? "login" : use))),
        ),
      }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "one secret named for all uses",
    on: ["secrets"],
    steps: [
      login,
      storageClass({ parameters: pair("secret", "login") }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a secret for one use wins over the one for all uses",
    on: ["secrets"],
    steps: [
      login,
      storageClass({ parameters: { ...pair("secret", "login"), ...pair("node-stage-secret", "stage") } }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "templates in names and namespaces of secrets are filled in",
    on: ["secrets"],
    steps: [
      secret("data-gold", { password: "of gold" }),
      storageClass({
        parameters: {
          ...pair("provisioner-secret", "${pvc.name}-${pvc.annotations['tier']}", "${pvc.namespace}"),
          ...pair("node-publish-secret", "${pv.name}-publish", "${pvc.namespace}"),
        },
      }),
      claim("data", { annotations: { tier: "gold" } }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "secrets named in the old way",
    on: ["secrets"],
    steps: [
      login,
      storageClass({
        parameters: {
          csiProvisionerSecretName: "login",
          csiProvisionerSecretNamespace: "$case",
          csiNodeStageSecretName: "stage",
          csiNodeStageSecretNamespace: "$case",
        },
      }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  refusedFor("a secret named in both ways is refused", {
    ...pair("provisioner-secret", "login"),
    csiProvisionerSecretName: "login",
    csiProvisionerSecretNamespace: "$case",
  }),
  refusedFor("a secret without its namespace is refused", { [`${prefix}/provisioner-secret-name`]: "login" }),
  refusedFor("a secret with an empty name is refused", pair("provisioner-secret", "")),
  refusedFor("a token that no template knows is refused", pair("provisioner-secret", "${pvc.colour}")),
  refusedFor(
    "the claim's name in the namespace of a secret is refused",
    pair("provisioner-secret", "login", "${pvc.name}"),
  ),
  refusedFor(
    "an annotation that the claim does not have is refused",
    pair("provisioner-secret", "x-${pvc.annotations['tier']}"),
  ),
  refusedFor("a name that no secret can have is refused", pair("node-stage-secret", "Not_A_Name")),
  refusedFor("a namespace that cannot be one is refused", pair("node-stage-secret", "stage", "not.one")),
  refusedFor("a secret that does not exist is refused", pair("provisioner-secret", "login")),
  refusedFor(
    "a driver that quotes the secret when it refuses",
    { ...pair("provisioner-secret", "token"), "compare/refuse": "PERMISSION_DENIED" },
    secret("token", { token: "correct horse" }),
  ),
  {
    says: "a secret that comes late serves the claim that waited for it",
    on: ["secrets"],
    steps: [
      storageClass({ parameters: pair("provisioner-secret", "login") }),
      claim("data"),
      refused("data"),
      login,
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a volume is destroyed although its secret is gone",
    on: ["secrets"],
    steps: [
      login,
      storageClass({ parameters: pair("provisioner-secret", "login") }),
      claim("data"),
      bound("data"),
      deleted("Secret", "login"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a secret that the role does not let the provisioner read",
    on: ["scripted"],
    steps: [
      login,
      storageClass({ parameters: pair("provisioner-secret", "login") }),
      claim("data"),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
];
