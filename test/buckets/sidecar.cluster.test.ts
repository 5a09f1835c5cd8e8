import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { leases } from "../../src/api/gen/coordination.ts";
import { cosiRegistrations } from "../../src/api/gen/cosi.ts";
import { Capability } from "../../src/rpc/gen/buckets_pb.js";
import { newNamespace } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { bound, bucketGround, classOf, newBucket, released, untilBucket } from "./scene.ts";
import { type Scripted, scriptedDriver } from "./scripted.ts";
import { bucketController, sidecarOf, untilRegistered } from "./world.ts";

const ground = await bucketGround();
const { admin, cluster } = ground;

const longestPatience = 240_000;
const registrationOf = async ({ name }: Pick<Scripted, "name">) => await admin.find(cosiRegistrations, { name });
const holderOf = async ({ name, namespace }: Scripted) =>
  (await admin.find(leases, { namespace, name: `cosi-${name}` }))?.spec?.holderIdentity;

test("the life of a sidecar", async (t) => {
  const driver = await scriptedDriver(t, ground);
  const { sidecar, name } = driver;

  // It takes a minute and a half of patience, and the rest goes on meanwhile.
  const rival = await scriptedDriver(t, ground, { name });
  await rival.serve();

  await t.test("a driver that is not there yet is waited for; whoever is asked to stop meanwhile does", async (t) => {
    const early = await sidecarOf(t, cluster, driver);
    const ended = early.ended();
    await until("it waits", () => early.said().includes("the driver is not ready yet"));
    equal(await early.stopped(), 0);
    equal(await ended, 0);
    const starting = sidecar.start();
    await driver.serve();
    await starting;
    await untilRegistered(admin, driver);
  });

  await t.test(
    "its registration says what the driver is and can do, and which Lease tells whether it lives",
    async () => {
      const { namespace } = driver;
      deepEqual((await registrationOf(driver))?.spec, {
        driverName: name,
        instanceID: `${namespace}/cosi-sidecar`,
        namespace,
        leaseName: `cosi-${name}`,
        wire: ["portway.buckets.v1alpha1"],
        protocols: ["s3"],
        capabilities: ["ACCESS_MODES", "QUOTA", "PURGE"],
        version: "1",
      });
      equal(await holderOf(driver), "sidecar-0");
    },
  );

  await t.test("killed and started again it takes up its own registration", async () => {
    const { uid } = (await registrationOf(driver))?.metadata ?? {};
    await sidecar.killed();
    equal((await registrationOf(driver))?.metadata.uid, uid, "nobody was there to remove it");
    await sidecar.start();
    equal((await registrationOf(driver))?.metadata.uid, uid);
  });

  await t.test("stopped it removes its registration, and started again it is registered anew", async () => {
    const { uid } = (await registrationOf(driver))?.metadata ?? {};
    equal(await sidecar.stopped(), 0);
    equal(await registrationOf(driver), undefined);
    await sidecar.start();
    await untilRegistered(admin, driver);
    notEqual((await registrationOf(driver))?.metadata.uid, uid);
  });

  // From here on the name is never free.
  const givenUp = rival.sidecar.ended();

  await t.test("a driver that comes back in a newer version is served on, and its registration says so", async () => {
    await driver.serve({ lies: newer });
    await until("the new version is told", async () => (await registrationOf(driver))?.spec.version === "2");
    equal(await holderOf(driver), "sidecar-0", "it has not started anew");
  });

  await t.test("another installation with the driver's name gives up, and says whose it is", async () => {
    notEqual(await Promise.race([givenUp, sleep(longestPatience, 0, { ref: false })]), 0, "it has ended, and not well");
    match(rival.sidecar.said(), /Another driver is registered under this name, and it lives/);
    match(
      rival.sidecar.said(),
      new RegExp(`It is ${driver.namespace}/cosi-sidecar in the namespace ${driver.namespace}`),
    );
    match(rival.sidecar.said(), /Give one of the two another name, or stop the other one/);
    equal((await registrationOf(driver))?.spec.namespace, driver.namespace);
  });

  await t.test("an installation that nobody has heard of for a minute is replaced", async () => {
    await sidecar.killed();
    const renewTime = new Date(Date.now() - 61_000).toISOString().replace("Z", "000Z");
    await admin.merge(leases, { namespace: driver.namespace, name: `cosi-${name}` }, { spec: { renewTime } });
    await rival.sidecar.start();
    await until("it is replaced", async () => (await registrationOf(driver))?.spec.namespace === rival.namespace);
    equal((await registrationOf(driver))?.spec.instanceID, `${rival.namespace}/cosi-sidecar`);
    equal(await rival.sidecar.stopped(), 0);
  });

  await t.test("a driver that comes back under another name ends the sidecar, with a sentence", async () => {
    await driver.serve();
    await sidecar.start();
    await driver.serve({ name: `other.${name}` });
    notEqual(await sidecar.ended(), 0);
    match(sidecar.said(), new RegExp(`The driver ${name} has come back as other.${name}`));
  });

  await t.test("so does one that can do less than before", async () => {
    await driver.serve();
    await sidecar.start();
    await driver.serve({ capabilities: [Capability.PURGE] });
    notEqual(await sidecar.ended(), 0);
    match(sidecar.said(), /or can do other things than before/);
  });
});

test("of two replicas one works, and when it goes the other one goes on", async (t) => {
  const controller = await bucketController(t, cluster);
  await controller.start();
  const driver = await scriptedDriver(t, ground);
  await driver.serve();
  const second = await sidecarOf(t, cluster, driver, ["--leader-election-identity=sidecar-1"]);
  await driver.sidecar.start();
  const taken = second.start();
  await untilRegistered(admin, driver);
  const scene = { ...ground, namespace: await newNamespace(t, admin) };
  const bucketClass = await classOf(t, { admin, driver }, { releasePolicy: "Delete" });
  const before = await newBucket(scene, bucketClass);
  await bound(scene, before);
  equal(await holderOf(driver), "sidecar-0");

  // As a rolling update does it: a new one is there, and the old one is asked to go.
  equal(await driver.sidecar.stopped(), 0);
  await taken;
  equal(await holderOf(driver), "sidecar-1");
  await untilRegistered(admin, driver);
  const after = await newBucket(scene, bucketClass);
  await bound(scene, after);
  equal((await registrationOf(driver))?.spec.instanceID, `${driver.namespace}/cosi-sidecar`);
  await released(scene, before);
  await released(scene, after);
  const calls = driver.place.calls().filter(({ method }) => method === "CreateBucket");
  equal(calls.length, 2, "no call was made twice");
});

test("a sidecar that is killed in silence is told of to whoever waits, once it has been silent for a minute", async (t) => {
  const controller = await bucketController(t, cluster);
  await controller.start();
  const driver = await scriptedDriver(t, ground);
  await driver.serve();
  await driver.sidecar.start();
  await untilRegistered(admin, driver);
  await driver.sidecar.killed();
  const renewTime = new Date(Date.now() - 61_000).toISOString().replace("Z", "000Z");
  await admin.merge(leases, { namespace: driver.namespace, name: `cosi-${driver.name}` }, { spec: { renewTime } });
  const scene = { ...ground, namespace: await newNamespace(t, admin) };
  const bucketClass = await classOf(t, { admin, driver }, { releasePolicy: "Delete" });
  const bucket = await newBucket(scene, bucketClass);
  const told = await untilBucket(
    scene,
    bucket,
    "it is told",
    ({ status }) =>
      status?.conditions?.some(({ type, reason }) => type === "DriverAvailable" && reason === "DriverSilent") === true,
  );
  match(
    told.status?.message ?? "",
    /Nobody has heard of the driver .* lately. Ask the platform team to look at the driver/,
  );
  await driver.sidecar.start();
  await bound(scene, bucket);
  const { status } = await untilBucket(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
  equal(status?.conditions?.find(({ type }) => type === "DriverAvailable")?.status, "True");
  await released(scene, bucket);
});

function newer(honest: Parameters<NonNullable<NonNullable<Parameters<Scripted["serve"]>[0]>["lies"]>>[0]) {
  return {
    getDriverInfo: async (request: Parameters<typeof honest.getDriverInfo>[0]) => ({
      ...(await honest.getDriverInfo(request)),
      version: "2",
    }),
  };
}
