import type { Handle } from "../../../src/dev/cluster/handle.ts";
import type { ClusterState } from "../../../src/dev/cluster/state.ts";
import type { Client } from "../../../src/kube/client.ts";
import type { Monitor, StateRule, Watched } from "../monitor.ts";
import type { OrderRule } from "../order.ts";
import type { FaultProxy } from "../proxy/fault-proxy.ts";
import type { WriteRecord } from "../proxy/write-record.ts";
import type { Program, Subject } from "./subject.ts";

/** A control plane, and what its add-ons say about themselves. */
export interface Ground extends Handle {
  readonly state: Pick<ClusterState, "env">;
}

/** A cluster with the process under test on it, reached through the proxy, and somebody who sees everything. */
export interface Stage {
  readonly cluster: Ground;
  readonly admin: Client;
  readonly proxy: FaultProxy;
  readonly monitor: Monitor;
  readonly subject: Subject;
  /** Namespaces and volumes of runs that are over: what is still written about them belongs to no case. */
  readonly past: Set<string>;
}

/** One way through a feature, from a fresh start to a settled end. */
export interface Flow<World = unknown> {
  readonly name: string;
  readonly watched: readonly Watched[];
  /** The plurals of what the process itself watches, and what changes on the way; everything that is watched when left out. */
  readonly sees?: readonly string[];
  readonly stateRules: readonly StateRule[];
  readonly orderRules: readonly OrderRule[];
  /** How many writes of ours it may take when nothing goes wrong. */
  readonly budget: number;
  /** Writes that come as often as somebody else needs them, as kicks for the binder do: all of one object count as one. */
  readonly mayRepeat?: (write: WriteRecord) => boolean;
  /** Writes that are needed only when something has turned back and goes on after all: none without a fault. */
  readonly afterDoubt?: (write: WriteRecord) => boolean;
  /** A refused step is tried again and ends as if it had never been refused, so that refusals are no exception to G8. */
  readonly mendsRefusals?: true;
  /** Once a cluster, and first of all: what runs beside the process until the flow is over. Answers the flags that lead to it. */
  beside?(stage: Pick<Stage, "cluster" | "admin">, undo: AsyncDisposableStack): Promise<readonly string[]>;
  /** Once a cluster: what the process needs to be there. Answers its kubeconfig, with exactly its shipped rights. */
  install(stage: Pick<Stage, "cluster" | "admin">): Promise<string>;
  program(kubeconfig: string): Program;
  /** In fresh namespaces. The words in the world are the names of these, and of all else of this run that has no namespace. */
  begin(stage: Stage): Promise<World>;
  isSettled(world: World, stage: Stage): Promise<boolean>;
  /** What is there in the end, without anything that differs from run to run. */
  picture(world: World, stage: Stage): Promise<unknown>;
  /** Takes away what would be in the way of the next case. */
  clear(world: World, stage: Stage): Promise<void>;
}
