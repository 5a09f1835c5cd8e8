import { packageRoot } from "../../../src/dev/paths.ts";
import type { Ground, Stage } from "../../faults/sweep/flow.ts";
import type { Program } from "../../faults/sweep/subject.ts";
import { installPortway } from "../../fixture/install.ts";
import { bucketController, driverPlace, sidecarOf, untilRegistered } from "../world.ts";
import { type Keeper, scopeOf } from "./keeper.ts";
import { realKeeper } from "./real-keeper.ts";
import { scriptedKeeper } from "./scripted-keeper.ts";
import { layTraps } from "./traps.ts";

/** The process under test; the other one runs beside it and survives. */
export type Who = "controller" | "sidecar";

export interface Setting {
  readonly who: Who;
  /** A driver that is scripted, one that cannot grant when it creates, or the one that ships with a real store behind it. */
  readonly store: "scripted" | "scripted, grants apart" | "real";
}

/** What the runs of a flow on one cluster share. */
export interface Scene {
  readonly keeper: Keeper;
  /** The namespace of its sidecar, with its Secrets. */
  readonly home: string;
  /** Another driver with its own sidecar and store, and what is there from the beginning. */
  readonly other: Keeper;
  readonly heldByOther: string;
  /** What a case does when a Bucket has been used and is about to be deleted. */
  beforeDeletion: () => Promise<unknown>;
}

type Surroundings = Pick<Stage, "cluster" | "admin">;

const scenes = new WeakMap<Ground, Scene>();
const installed = new WeakMap<Ground, Promise<unknown>>();
/** An answer that never comes is not waited for any longer than this. */
export const callSeconds = 2;

export function sceneOn({ cluster }: Pick<Stage, "cluster">): Scene {
  const scene = scenes.get(cluster);
  if (scene === undefined) throw new Error("no flow of buckets has begun on this cluster");
  return scene;
}

/** Two drivers and two stores, and whatever is not under test itself. Answers the flags that lead to the first driver. */
export async function setScene(
  { who, store }: Setting,
  { cluster, admin }: Surroundings,
  undo: AsyncDisposableStack,
): Promise<readonly string[]> {
  const scope = scopeOf(undo);
  if (!installed.has(cluster)) installed.set(cluster, installPortway(cluster));
  await installed.get(cluster);
  const [place, otherPlace] = [await driverPlace(scope, cluster), await driverPlace(scope, cluster)];
  const words = store === "scripted" ? ["--grants-on-create"] : [];
  const keeper =
    store === "real" ? await realKeeper(place.name, undo, place.socket) : await scriptedKeeper(place.name, undo, words);
  const other = await scriptedKeeper(otherPlace.name, undo, words);
  await other.makeBucket("of-the-other");
  const heldByOther = JSON.stringify(await other.held());
  scenes.set(cluster, { keeper, home: place.namespace, other, heldByOther, beforeDeletion: async () => undefined });
  await (await sidecarOf(scope, cluster, { ...otherPlace, socket: other.socket })).start();
  await untilRegistered(admin, other);
  if (who === "controller") {
    await (await sidecarOf(scope, cluster, { ...place, socket: keeper.socket })).start();
    await untilRegistered(admin, keeper);
    return [];
  }
  await (await bucketController(scope, cluster)).start();
  await layTraps(admin, undo);
  return [`--driver-address=${keeper.socket}`];
}

export async function accountFor(who: Who, { cluster }: Pick<Stage, "cluster">): Promise<string> {
  if (who === "controller") return await cluster.serviceAccount("portway-system", "portway-buckets");
  const { home } = sceneOn({ cluster });
  return await cluster.serviceAccount(home, home);
}

/** Under one name across its lives, and hasty: an answer that never comes would take half a minute. */
export function programOf(who: Who, kubeconfig: string): Program {
  const command =
    who === "controller"
      ? ["controller", "--domains=buckets", "--leader-election-identity=buckets-0"]
      : ["cosi-sidecar", "--leader-election-identity=sidecar-0", `--timeout=${callSeconds}s`];
  return {
    file: `${packageRoot}/src/bin/portway.ts`,
    args: [...command, `--kubeconfig=${kubeconfig}`, "--http-endpoint=", "--kube-api-timeout=3s", "-v=2"],
  };
}
