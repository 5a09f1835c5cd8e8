import { after, type TestContext } from "node:test";
import type { Client } from "../../src/kube/client.ts";
import { subjectOf } from "../faults/sweep/subject.ts";
import { adminClient } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { type LaneCluster, laneCluster } from "../fixture/lane.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { boundClaim, transferGround, type World } from "../transfer/flows/world.ts";
import { type Person, personWith } from "./person.ts";

export interface CliStage {
  readonly cluster: LaneCluster;
  readonly admin: Client;
}

/** The lane's cluster with Portway installed; with a controller, it runs under its own account until the file is done. */
export async function cliStage({ controller }: { readonly controller: boolean }): Promise<CliStage> {
  const cluster = await laneCluster();
  await installPortway(cluster);
  const admin = await adminClient(cluster);
  after(() => admin.close());
  if (controller) {
    const subject = subjectOf(transferGround.program(await transferAccount(cluster)));
    subject.start();
    after(() => subject.stopped());
  }
  return { cluster, admin };
}

export interface TwoTeams extends World {
  /** May give what is in `from`. */
  readonly alice: Person;
  /** May receive in `to`. */
  readonly bob: Person;
}

/** A bound claim of alice's, and bob, who would like to have it. Each has rights in one namespace only. */
export async function twoTeams(t: TestContext, stage: CliStage): Promise<TwoTeams> {
  const world = await newWorld(t, stage);
  await tenantWith(t, stage.cluster, "alice", world.from, "admin");
  await tenantWith(t, stage.cluster, "bob", world.to, "admin");
  return { ...world, alice: person(t, stage, "alice"), bob: person(t, stage, "bob") };
}

/** A bound claim and two namespaces in which nobody has any rights yet; all of it goes with the test. */
export async function newWorld(t: TestContext, { cluster, admin }: CliStage): Promise<World> {
  const world = await boundClaim({ admin });
  const gone = ["--wait=false", "--ignore-not-found"];
  t.after(() => cluster.kubectl(["delete", "namespace", world.from, world.to, ...gone]));
  t.after(() => cluster.kubectl(["delete", "pv", world.volume, ...gone]));
  return world;
}

export function person(t: TestContext, { cluster }: CliStage, name: string): Person {
  return personWith(t, cluster.kubeconfigOf(name));
}

/** The words of the line that the requester is told to pass on. */
export function approveWords(told: string): readonly string[] {
  return (/kubectl portway (approve .*)$/m.exec(told)?.[1] ?? "").split(" ");
}
