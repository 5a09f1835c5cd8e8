import type { StorageClass } from "../../api/gen/storage.ts";
import type { Stored } from "../../api/object.ts";
import type { Cache, Kept } from "../../kube/cache/store.ts";
import type { LabelledNode, NodeDrivers } from "../topology.ts";
import { inOrder, type Segments, textOf } from "../topology-terms.ts";
import { isTold, pairKey, segmentOf } from "./segments.ts";

/** One object that must be there: what is free for a class in a segment. */
export interface Goal {
  readonly segments: Segments;
  readonly storageClass: Stored<StorageClass>;
}

export interface TopologyWatches {
  readonly nodes: Cache<Kept & LabelledNode>;
  readonly csiNodes: Cache<Kept & NodeDrivers>;
}

export interface GoalOptions {
  readonly driverName: string;
  readonly forImmediateBinding: boolean;
  readonly classes: Cache<Stored<StorageClass>>;
  /** Undefined for a driver without topology: it has one segment, and all nodes are in it. */
  readonly topology: TopologyWatches | undefined;
}

/** Which objects must be there, reckoned again only when something has changed that they depend on. */
export interface Goals {
  /** By the key of the pair. */
  all(): ReadonlyMap<string, Goal>;
  segments(): readonly Segments[];
  /** Classes of this driver, whether they are told of or not. */
  classNames(): readonly string[];
  /** Where the node is, for whoever hears that it has changed. */
  placeOfNode(node: Kept & LabelledNode): Segments | undefined;
  placeOfCSINode(csiNode: Kept & NodeDrivers): Segments | undefined;
}

export function goalsOf(options: GoalOptions): Goals {
  const { driverName, classes, topology } = options;
  let known: { readonly segments: readonly Segments[]; readonly goals: ReadonlyMap<string, Goal> } | undefined;

  const placeOfNode = (node: Kept & LabelledNode) =>
    segmentOf(driverName, node, topology?.csiNodes.get(node.metadata.name));
  const placeOfCSINode = (csiNode: Kept & NodeDrivers) =>
    segmentOf(driverName, topology?.nodes.get(csiNode.metadata.name), csiNode);

  /** Nodes change all the time, and hardly ever where they are. */
  function forgetIfMoved<V>(placeOf: (object: V) => Segments | undefined) {
    const textAt = (object: V | undefined) => {
      const place = object === undefined ? undefined : placeOf(object);
      return place === undefined ? undefined : textOf(place);
    };
    return (before: V | undefined, after: V | undefined) => {
      if (textAt(before) !== textAt(after)) known = undefined;
    };
  }
  topology?.nodes.onChange(forgetIfMoved(placeOfNode));
  topology?.csiNodes.onChange(forgetIfMoved(placeOfCSINode));
  classes.onChange(() => {
    known = undefined;
  });

  function reckoned() {
    const segments = topology === undefined ? [{}] : inOrder([...topology.csiNodes.values()].flatMap(placesOf));
    const told = [...classes.values()].filter((storageClass) => isTold(storageClass, options));
    const goals = told.flatMap((storageClass) =>
      segments.map((place) => [pairKey(storageClass.metadata.name, place), { segments: place, storageClass }] as const),
    );
    return { segments, goals: new Map<string, Goal>(goals) };
  }
  function placesOf(csiNode: Kept & NodeDrivers): readonly Segments[] {
    const place = placeOfCSINode(csiNode);
    return place === undefined ? [] : [place];
  }
  function now() {
    known ??= reckoned();
    return known;
  }

  return {
    all: () => now().goals,
    segments: () => now().segments,
    classNames: () =>
      [...classes.values()].filter((one) => one.provisioner === driverName).map(({ metadata }) => metadata.name),
    placeOfNode,
    placeOfCSINode,
  };
}
