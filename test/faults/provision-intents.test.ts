import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { events, persistentVolumes } from "../../src/api/gen/core.ts";
import { type Intent, intentPrefix } from "../../src/provision/intents/intent.ts";
import { leaseNameOf } from "../../src/provision/names.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { madeAndDeleted } from "../provision/flows/flows.ts";
import {
  claimDeleted,
  clear,
  intentsOf,
  isBound,
  isGone,
  newClaim,
  newNamespace,
  pageOf,
  provisioner,
  sceneOn,
  vendorHome,
  volumesOf,
  type World,
} from "../provision/flows/ground.ts";
import type { Stage } from "./sweep/flow.ts";
import { stageFor } from "./sweep/stage.ts";

/** The driver hangs, the claim goes, and the next life finds an intent of which somebody has changed something. */
async function orphaned(stage: Stage, changed: (intent: Intent, term: number) => object): Promise<World> {
  const { admin, subject } = stage;
  const { driver, home } = sceneOn(stage);
  const letGo = driver.play([{ method: "CreateVolume", when: "before", fault: "hang" }]);
  const world = await newClaim(await newNamespace(admin), stage);
  const isAsked = () => driver.calls().some(({ method, of }) => method === "CreateVolume" && of === world.volume);
  await until("the driver is asked", isAsked);
  const [mark] = await intentsOf(world, stage);
  const page = { namespace: home, name: pageOf(driver) };
  const text = (await admin.get(leases, page)).metadata.annotations?.[mark ?? ""] ?? "";
  const leader = await admin.get(leases, { namespace: home, name: leaseNameOf(driver.name) });
  const intent = changed(JSON.parse(text) as Intent, leader.spec?.leaseTransitions ?? 0);
  await admin.merge(leases, page, { metadata: { annotations: { [mark ?? ""]: JSON.stringify(intent) } } });
  await claimDeleted(world, stage);
  await subject.killed();
  letGo();
  return world;
}

const hourMilliseconds = 3_600_000;
const doubtful = {
  "over an hour old": (intent: Intent) => ({
    ...intent,
    since: new Date(Date.now() - 2 * hourMilliseconds).toISOString(),
  }),
  "of a term before the last": (intent: Intent, term: number) => ({ ...intent, term: term - 2 }),
};

for (const [how, changed] of Object.entries(doubtful)) {
  test(`what comes of an orphaned intent ${how} is kept, and an admin is warned`, async () => {
    await using stage = await stageFor(madeAndDeleted, await laneCluster());
    const { admin } = stage;
    const world = await orphaned(stage, changed);
    const { volume: name } = world;
    await until("the volume is kept and free", async () => {
      const stored = await admin.find(persistentVolumes, { name });
      return stored?.status?.phase === "Released" && stored.metadata.finalizers?.length === 1;
    });
    await until("nothing is in the book", async () => (await intentsOf(world, stage)).length === 0);
    const { spec, metadata } = await admin.get(persistentVolumes, { name });
    equal(spec?.persistentVolumeReclaimPolicy, "Retain");
    deepEqual(
      volumesOf(world, stage).map(({ id }) => id),
      [spec?.csi?.volumeHandle],
    );
    await until("an admin is warned", async () => {
      const told = [];
      for await (const { items } of admin.pages(events, { namespace: "default" })) told.push(...items);
      return told.some(({ involvedObject, reason, type }) => {
        return involvedObject.uid === metadata.uid && reason === "VolumeKept" && type === "Warning";
      });
    });
    await clear(world, stage);
  });
}

test("what comes of a young orphaned intent is written down and goes as its policy says", async () => {
  await using stage = await stageFor(madeAndDeleted, await laneCluster());
  const world = await orphaned(stage, (intent) => intent);
  await until("the volume was there", () =>
    stage.monitor.history("persistentvolumes").some(({ object }) => object.metadata.name === world.volume),
  );
  await until(
    "nothing is left",
    async () => (await isGone(world, stage)) && (await intentsOf(world, stage)).length === 0,
  );
  await clear(world, stage);
});

test("an intent of a version that nobody knows is left as it is", async () => {
  await using stage = await stageFor(madeAndDeleted, await laneCluster());
  const { admin, subject } = stage;
  const { driver, home } = sceneOn(stage);
  const stranger = { [`${intentPrefix}of-tomorrow`]: '{"v":2}' };
  const page = { namespace: home, name: pageOf(driver) };
  await admin.merge(leases, page, { metadata: { annotations: stranger } });
  await subject.killed();
  const world = await newClaim(await newNamespace(admin), stage);
  await until("work goes on", () => isBound(world, stage));
  await until("it is closed", async () => (await intentsOf(world, stage)).length === 0);
  deepEqual((await admin.get(leases, page)).metadata.annotations, stranger);
  match(subject.lastWords(), /an intent is left as it is/);
  await clear(world, stage);
});

test("without a right to Leases there are no intents, which is said once, and all else works", async () => {
  const withoutLeases = {
    ...madeAndDeleted,
    async install(stage: Pick<Stage, "cluster" | "admin">) {
      const kubeconfig = await vendorHome(stage);
      await stage.cluster.kubectl(["-n", sceneOn(stage).home, "delete", "rolebinding", "--all"]);
      return kubeconfig;
    },
    program: (kubeconfig: string) => provisioner(kubeconfig, ["--leader-election=false"]),
  };
  await using stage = await stageFor(withoutLeases, await laneCluster());
  for (const _ of ["one", "another"]) {
    const world = await newClaim(await newNamespace(stage.admin), stage);
    await until("it is bound", () => isBound(world, stage));
    await claimDeleted(world, stage);
    await until("nothing is left", () => isGone(world, stage));
    await clear(world, stage);
  }
  equal(stage.subject.lastWords().match(/volumes begun before a crash may be lost/g)?.length, 1);
  equal(stage.subject.crashes, 0);
});
