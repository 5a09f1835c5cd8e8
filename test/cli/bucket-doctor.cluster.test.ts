import { equal, match } from "node:assert/strict";
import { test } from "node:test";
import { bucketContents } from "../../src/api/gen/cosi.ts";
import type { Examination } from "../../src/cli/doctor/examine.ts";
import { randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { bucketStage, newTeam, nowhere, rootOf, stuckBucket } from "./bucket-stage.ts";
import type { Person } from "./person.ts";

const stage = await bucketStage();
const { admin, driver, controller } = stage;
// Other tests leave Buckets behind that nobody releases; a fault is only what is looked for here.
const patient = "--stuck-after=24h";

/** What the doctor tells about one thing. */
async function examined(who: Person, namespace: string, ...words: string[]) {
  const { code, stdout } = await who.says("doctor", "-n", namespace, "-o", "json", ...words);
  const found = JSON.parse(stdout) as Examination;
  equal(code, found.healthy ? 0 : 1);
  return (name: string) => found.findings.find(({ about }) => about === name);
}

test("doctor tells of a Bucket that failed, to its owner and to an administrator, and what to do", async (t) => {
  const team = await newTeam(t, stage, nowhere);
  const { alice, namespace } = team;
  await stuckBucket(stage, team);
  const seen = await examined(rootOf(t, stage), namespace, patient);
  for (const about of [`driver ${driver.name}`, "bucket controller", "contents", "kind BucketContent"])
    equal(seen(about)?.is, "ok", about);
  for (const end of ["use", "secret"]) equal(seen(`policy portway-bucketclass-${end}`)?.is, "ok", end);
  const lost = seen(`bucket ${namespace}/lost`);
  equal(lost?.is, "fault");
  match(lost.says, /open for \d+s: Failed \(DriverRefused: The driver says: /);
  match(lost.next ?? "", new RegExp(`Ask the platform team .*kubectl portway explain bucket/lost -n ${namespace}\\.`));
  const hers = await examined(alice, namespace);
  equal(hers(`bucket ${namespace}/lost`)?.is, "fault");
  for (const about of ["bucket controller", "bucket drivers", "contents"]) equal(hers(about)?.is, "unseen", about);
  equal(hers("may make buckets")?.is, "ok");
});

test("doctor tells of a driver and a controller that are silent, and of a content whose Bucket is gone", async (t) => {
  const { namespace, className } = await newTeam(t, stage);
  const root = rootOf(t, stage);
  await driver.sidecar.killed();
  await controller.stopped();
  const left = `left-${randomWord()}`;
  await admin.create(bucketContents, {
    metadata: { name: left },
    spec: {
      mode: "Greenfield",
      provisioner: driver.name,
      releasePolicy: "Retain",
      bucketClassName: className,
      bucketRef: { namespace, name: "gone", uuid: crypto.randomUUID() },
    },
  });
  let sick = await examined(root, namespace, patient);
  equal(sick(`content ${left}`), undefined, "it may still be on its way");
  await until("the doctor finds it", async () => {
    sick = await examined(root, namespace, "--stuck-after=1s");
    return [`driver ${driver.name}`, `content ${left}`].every((about) => sick(about)?.is === "fault");
  });
  const silent = /sidecar-0 holds the Lease and has been silent for \d+s: its buckets are neither/;
  match(sick(`driver ${driver.name}`)?.says ?? "", silent);
  match(sick("bucket controller")?.says ?? "", /none runs, so no Bucket gets its keys/);
  match(sick(`content ${left}`)?.says ?? "", /the Bucket \S+\/gone of it is gone for \d+s/);
  await controller.start();
  await driver.sidecar.start();
  await until("what was left is gone", async () => (await admin.find(bucketContents, { name: left })) === undefined);
  equal((await examined(root, namespace, patient))(`driver ${driver.name}`)?.is, "ok");
});
