import type { TopologySelectorTerm } from "../api/gen/core.ts";
import type { CSINodeDriver, StorageClass } from "../api/gen/storage.ts";
import {
  compareText,
  flattened,
  inOrder,
  isWithin,
  rotated,
  type Segments,
  segmentsOn,
  spreadOf,
  textOf,
} from "./topology-terms.ts";

export type { Segments } from "./topology-terms.ts";

/** As much of a Node as topology asks for. */
export interface LabelledNode {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** As much of a CSINode as topology asks for. */
export interface NodeDrivers {
  readonly metadata: { readonly name: string };
  /** The server hands out null where no driver has registered. */
  readonly spec: { readonly drivers: readonly Pick<CSINodeDriver, "name" | "topologyKeys">[] | null };
}

export interface TopologyQuestion {
  readonly driverName: string;
  readonly claimName: string;
  /** Whom the scheduler has chosen, as the claim says. */
  readonly selectedNode?: string | undefined;
  readonly bindingMode: StorageClass["volumeBindingMode"];
  readonly allowedTopologies: readonly TopologySelectorTerm[] | undefined;
  /** Only the selected node's place will do. */
  readonly strict: boolean;
  /** False for a driver that knows by itself where a volume without a node belongs. */
  readonly immediateTopology: boolean;
  readonly nodes: readonly LabelledNode[];
  readonly csiNodes: readonly NodeDrivers[];
}

/** Where a volume must be accessible from, and where it had best be. */
export type Topology =
  | { readonly is: "requirement"; readonly requisite: readonly Segments[]; readonly preferred: readonly Segments[] }
  /** Nothing is said to the driver. */
  | { readonly is: "none" }
  /** Not now: it is tried again. */
  | { readonly is: "refused"; readonly because: string }
  /** The scheduler must choose again. */
  | { readonly is: "node-gone" };

/**
 * The accessibility requirement of one CreateVolume call. The same world and the same claim give the same requirement;
 * a later try must not ask here again but repeat what it asked first, or a volume may come into being in two places.
 */
export function topologyFor(question: TopologyQuestion): Topology {
  const { selectedNode = "", bindingMode } = question;
  if (selectedNode !== "") return besideNode(question, selectedNode);
  if (bindingMode === "WaitForFirstConsumer") return refused("no node has been chosen for its first consumer yet");
  return anywhere(question);
}

function besideNode(question: TopologyQuestion, name: string): Topology {
  const { nodes, csiNodes, driverName } = question;
  const isIt = ({ metadata }: LabelledNode | NodeDrivers) => metadata.name === name;
  const [node, csiNode] = [nodes.find(isIt), csiNodes.find(isIt)];
  if (node === undefined || csiNode === undefined) return { is: "node-gone" };
  const keys = topologyKeys(csiNode, driverName) ?? [];
  if (keys.length === 0) return refused(`the driver has registered no topology keys on the selected node ${name}`);
  const here = segmentsOn(node.metadata.labels, keys);
  if (here === undefined) return refused(`the selected node ${name} lacks a label of ${keys.join(", ")}`);
  return around(here, keys, question);
}

function around(here: Segments, keys: readonly string[], question: TopologyQuestion): Topology {
  const { nodes, strict, selectedNode, allowedTopologies = [] } = question;
  const requisite = allowedTopologies.length === 0 ? placesWith(keys, nodes) : flattened(allowedTopologies);
  // Terms that say nothing ask for nothing; but strict is never without its node.
  if (requisite.length === 0 && !strict) return { is: "none" };
  const first = requisite.findIndex((term) => isWithin(term, here));
  if (first < 0)
    return refused(`the selected node ${selectedNode} (${textOf(here)}) is not in the allowed topologies of the class`);
  return strict ? requirement([here], 0) : requirement(requisite, first);
}

function anywhere({
  nodes,
  csiNodes,
  driverName,
  claimName,
  immediateTopology,
  allowedTopologies = [],
}: TopologyQuestion): Topology {
  const spread = (requisite: readonly Segments[]) => requirement(requisite, spreadOf(claimName) % requisite.length);
  if (allowedTopologies.length > 0) {
    const allowed = flattened(allowedTopologies);
    return allowed.length === 0 ? { is: "none" } : spread(allowed);
  }
  if (!immediateTopology) return { is: "none" };
  const keys = firstKeys(csiNodes, driverName);
  if (keys === undefined) return refused("the driver has registered no topology keys on any node yet");
  const requisite = placesWith(keys, nodes);
  return requisite.length === 0 ? refused(`no node has the labels ${keys.join(", ")}`) : spread(requisite);
}

/** Undefined when the driver is not on the node; none when it is, and its volumes can be reached from everywhere. */
export function topologyKeys({ spec }: NodeDrivers, driverName: string): readonly string[] | undefined {
  const driver = spec.drivers?.find(({ name }) => name === driverName);
  return driver === undefined ? undefined : (driver.topologyKeys ?? []);
}

/** Nodes may differ while a driver is being upgraded: always the same one is believed. */
function firstKeys(csiNodes: readonly NodeDrivers[], driverName: string): readonly string[] | undefined {
  const byName = csiNodes.toSorted((one, other) => compareText(one.metadata.name, other.metadata.name));
  return byName.map((csiNode) => topologyKeys(csiNode, driverName) ?? []).find((keys) => keys.length > 0);
}

/** Of all nodes with these labels, whether the driver runs there or not: it may come later. */
function placesWith(keys: readonly string[], nodes: readonly LabelledNode[]): readonly Segments[] {
  return inOrder(
    nodes.flatMap(({ metadata }) => {
      const place = segmentsOn(metadata.labels, keys);
      return place === undefined ? [] : [place];
    }),
  );
}

function requirement(requisite: readonly Segments[], first: number): Topology {
  return { is: "requirement", requisite, preferred: rotated(requisite, first) };
}

function refused(because: string): Topology {
  return { is: "refused", because };
}
