import type { Case } from "../case.ts";
import {
  bound,
  bystander,
  claim,
  deleted,
  destroyed,
  look,
  pod,
  refused,
  storageClass,
  withdrawn,
} from "../objects.ts";

const region = "topology.portway.dev/region";
const zone = "topology.portway.dev/zone";
const inZone = (...values: readonly string[]) => ({ matchLabelExpressions: [{ key: zone, values }] });
const spread = ["web-0", "web-1", "web-2", "other"];
const onFirstUse = { volumeBindingMode: "WaitForFirstConsumer" } as const;
const selectedNode = "volume.kubernetes.io/selected-node";

/** Three nodes: east-1 and east-2 in one zone, west-1 in the other. */
export const topologyCases: readonly Case[] = [
  {
    says: "volumes of one set that are made at once are spread over the zones",
    on: ["zones", "strict"],
    steps: [
      storageClass(),
      ...spread.map((name) => claim(name)),
      ...spread.map((name) => bound(name)),
      look("bound"),
      ...spread.flatMap((name) => destroyed(name)),
    ],
  },
  {
    says: "a volume that is made at once stays in the zones of its class",
    on: ["zones", "strict"],
    steps: [
      storageClass({ allowedTopologies: [inZone("west")] }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "allowed topologies of several terms and values are flattened",
    on: ["zones"],
    steps: [
      storageClass({
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: zone, values: ["west", "east"] },
              { key: region, values: ["north", "south"] },
            ],
          },
        ],
      }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim that waits for its first pod is left alone until then",
    on: ["host-path", "zones"],
    steps: [storageClass(onFirstUse), claim("data"), bystander, look("waiting"), ...withdrawn("data")],
  },
  {
    says: "a claim is served where the scheduler puts its pod",
    on: ["host-path", "scripted", "zones", "strict"],
    steps: [
      storageClass(onFirstUse),
      claim("data"),
      pod("user", { claims: ["data"], node: "east-1" }),
      bound("data"),
      look("bound"),
      deleted("Pod", "user"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim is served where the scheduler puts its pod, in the zones of its class",
    on: ["zones", "strict"],
    steps: [
      storageClass({ ...onFirstUse, allowedTopologies: [inZone("east", "west")] }),
      claim("data"),
      pod("user", { claims: ["data"], node: "west-1" }),
      bound("data"),
      look("bound"),
      deleted("Pod", "user"),
      ...destroyed("data"),
    ],
  },
  {
    says: "two claims of one pod come to lie in one zone",
    on: ["zones"],
    steps: [
      storageClass(onFirstUse),
      claim("data"),
      claim("log"),
      pod("user", { claims: ["data", "log"], node: "west-1" }),
      bound("data"),
      bound("log"),
      look("bound"),
      deleted("Pod", "user"),
      ...destroyed("data"),
      ...destroyed("log"),
    ],
  },
  {
    says: "a node outside the zones of the class is refused",
    on: ["zones", "strict"],
    steps: [
      storageClass({ ...onFirstUse, allowedTopologies: [inZone("west")] }),
      claim("data", { annotations: { [selectedNode]: "$run-east-1" } }),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a node that is not there any more is given back to the scheduler",
    on: ["zones"],
    steps: [
      storageClass(onFirstUse),
      claim("data", { annotations: { [selectedNode]: "$run-nowhere" } }),
      refused("data"),
      { do: "annotation-gone", annotation: selectedNode, claim: "data" },
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a node for which the driver has no room is given back to the scheduler",
    on: ["zones"],
    steps: [
      storageClass({ ...onFirstUse, parameters: { "compare/refuse": "RESOURCE_EXHAUSTED" } }),
      claim("data", { annotations: { [selectedNode]: "$run-west-1" } }),
      refused("data"),
      { do: "annotation-gone", annotation: selectedNode, claim: "data" },
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a node that the driver does not know",
    on: ["zones"],
    steps: [
      storageClass(onFirstUse),
      claim("data", { annotations: { [selectedNode]: "$run-bare" } }),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
];
