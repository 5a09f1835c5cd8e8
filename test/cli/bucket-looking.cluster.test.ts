import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { secrets } from "../../src/api/gen/core.ts";
import { buckets } from "../../src/api/gen/cosi.ts";
import { dropClass } from "../buckets/world.ts";
import { bindRole } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import {
  bucketStage,
  newTeam,
  nowhere,
  rootOf,
  seesClasses,
  stuckBucket,
  type Team,
  untilTold,
} from "./bucket-stage.ts";
import { type Person, personWith } from "./person.ts";

const stage = await bucketStage();
const { admin, cluster } = stage;

/** A bound Bucket `photos` of the team's, with a name in the store that one can tell. */
async function boundBucket({ alice, namespace, className }: Team): Promise<void> {
  const words = ["create", "photos", "--class", className, "--prefix=p-", "--yes", "--wait"];
  const { code, stderr } = await alice.says("bucket", ...words, "-n", namespace);
  equal(code, 0, stderr);
}

async function valuesIn(namespace: string): Promise<readonly string[]> {
  const { data = {} } = await admin.get(secrets, { namespace, name: "photos-keys" });
  const text = (name: string) => Buffer.from(data[name] ?? "", "base64").toString();
  return [text("accessKeyID"), text("accessSecretKey")];
}

const cellsIn = (line: string) => line.split(/ {2,}/);

test("list shows what is where, to each as far as they may see", async (t) => {
  const team = await newTeam(t, stage);
  const { alice, namespace, className } = team;
  const lists = async (who: Person, ...words: string[]) => await who.says("bucket", "list", ...words);
  deepEqual(await lists(alice, "-n", namespace), {
    code: 0,
    stdout: "",
    stderr: `No buckets found in ${namespace} namespace.\n`,
  });
  await boundBucket(team);
  await admin.merge(buckets, { namespace, name: "photos" }, { metadata: { labels: { app: "shop" } } });
  const [headings = "", row = ""] = (await lists(alice, "-n", namespace)).stdout.split("\n");
  deepEqual(cellsIn(headings), ["NAME", "CLASS", "PHASE", "SECRET", "BUCKET", "AGE", "MESSAGE"]);
  const hers = ["photos", className, "Bound", "photos-keys", "?", "Everything is in place."];
  deepEqual(cellsIn(row).toSpliced(5, 1), hers);
  const root = rootOf(t, stage);
  const wide = await lists(root, "-A", "-l", "app=shop", "-o", "wide");
  match(
    wide.stdout,
    new RegExp(`^NAMESPACE +NAME .*CONTENT +MESSAGE\n${namespace} +photos .* p-[0-9a-f-]{36} .* ${className}-`),
  );
  equal((await lists(root, "-n", namespace, "-l", "app=other")).stdout, "");
  equal((await lists(alice, "-n", namespace, "-o", "name")).stdout, "bucket.cosi.io/photos\n");
  const { items } = load((await lists(alice, "-n", namespace, "-o", "yaml")).stdout) as { items: { kind: string }[] };
  deepEqual(
    items.map(({ kind }) => kind),
    ["Bucket"],
  );
  equal((await lists(alice, "-A")).code, 1, "she may not see those of others");
});

test("describe tells everything but the keys, and what could not be seen", async (t) => {
  const team = await newTeam(t, stage, { releasePolicy: "Delete", accessMode: "rw" });
  const { alice, namespace } = team;
  await boundBucket(team);
  const describes = async (who: Person, ...words: string[]) =>
    (await who.says("bucket", "describe", "photos", "-n", namespace, ...words)).stdout;
  const root = rootOf(t, stage);
  const texts = [await describes(alice), await describes(root)];
  for (const text of texts) {
    match(text, /^bucket \S+\/photos\n/);
    match(text, / {2}bucket +p-[0-9a-f-]{36}\n {2}endpoint +http:\/\/127\.0\.0\.1:\d+/);
    match(text, / {2}secret +photos-keys: there, with accessKeyID, accessSecretKey/);
    match(text, /\n {2}- secret published: yes\. /);
    match(text, /What to do: eval "\$\(kubectl portway bucket env photos -n /);
    match(text, /BucketBound +The Secret photos-keys is there\./);
  }
  const [hers = "", admins = ""] = texts;
  match(hers, /at its end +unknown\n[^]*Could not be seen:\n {2}- bucketcontents\/[^]*bucketclasses\//);
  match(
    admins,
    /what it is +a new bucket is made by the driver s3-[^]*at its end +the bucket and everything in it is destroyed/,
  );
  equal(/Could not be seen/.test(admins), false);
  await seesClasses(t, stage, "alice");
  match(
    await describes(alice),
    /at its end +the bucket and everything in it is destroyed/,
    "the class has not changed",
  );
  await dropClass(admin, team.className);
  match(await describes(root), /at its end +the bucket and everything in it is destroyed/, "the content remembers");
  match(await describes(alice), /at its end +unknown/, "nobody tells her any more");
  const all = [...texts, await describes(root, "-o", "json"), await describes(alice, "-o", "yaml")].join("\n");
  for (const value of await valuesIn(namespace)) equal(all.includes(value), false, "a key is told");
});

test("explain runs the controller's own table on what one may see", async (t) => {
  const team = await newTeam(t, stage, nowhere);
  const { alice, namespace } = team;
  await stuckBucket(stage, team);
  const explains = async (who: Person, name: string, ...words: string[]) =>
    (await who.says("explain", `bucket/${name}`, "-n", namespace, ...words)).stdout;
  const root = rootOf(t, stage);
  const admins = JSON.parse(await explains(root, "lost", "-o", "json")) as {
    row: string;
    plan: string;
    rows: { answer: string }[];
    unseen: unknown[];
  };
  deepEqual([admins.row, admins.unseen], ["its content is not ready", []]);
  match(admins.plan, /^wait: DriverRefused\. The driver says: /);
  deepEqual([...new Set(admins.rows.slice(0, -1).map(({ answer }) => answer))], ["no"]);
  const hers = await explains(alice, "lost");
  match(hers, /Portway says: Failed, DriverRefused\. The driver says: /);
  match(hers, /\? +its content is not ready \(needs bucketcontents\//);
  match(hers, /Could not be seen:\n {2}- bucketcontents\//);
  equal(/YES/.test(hers), false, "no row is said to hold");
  await admin.create(buckets, {
    metadata: { namespace, name: "typo" },
    spec: { bucketClassName: "none-such", secretName: "typo" },
  });
  await untilTold(stage, team, "typo", "is told", ({ status }) => status?.phase !== undefined);
  match(await explains(root, "typo"), /YES +its class is not there\n[^]*What to do: Check spec\.bucketClassName/);
  const key = { namespace, name: "lost" };
  const hold = (finalizers: readonly string[]) => admin.merge(buckets, key, { metadata: { finalizers } });
  await hold(["cosi.io/finalizer", "test.portway.dev/held"]);
  t.after(() => hold([]).catch(() => undefined));
  await alice.says("bucket", "rm", "lost", "-n", namespace, "--yes");
  await until("its content is gone", async () => /nothing is left of it|it may go/.test(await explains(root, "lost")));
  match(await explains(root, "lost"), /The table \(a Bucket on its way out\)[^]*YES +it may go/);
  equal((await root.says("explain", "bucket/nothing", "-n", namespace)).code, 1);
});

test("status shows buckets below transfers, and who may not see them still gets the rest", async (t) => {
  const team = await newTeam(t, stage);
  const { alice, namespace, className } = team;
  const watching = alice.watches("status", "-w", "-n", namespace);
  await boundBucket(team);
  await watching.until(/Bound/);
  const { code, stdout } = await watching.stopped();
  equal(code, 0);
  match(
    stdout,
    new RegExp(`^BUCKET +CLASS +SECRET +PHASE +AGE +WHY +NEXT\n${namespace}/photos +${className} +photos-keys`),
  );
  equal(stdout.match(/BUCKET/g)?.length, 1, "one heading");
  const request = await alice.says("request", "elsewhere/data", "-n", namespace);
  equal(request.code, 0, request.stderr);
  const both = (await alice.says("status", "-n", namespace)).stdout.split("\n");
  match(both[0] ?? "", /^REQUEST +SOURCE/);
  deepEqual(cellsIn(both[4] ?? "").toSpliced(4, 1), [
    `${namespace}/photos`,
    className,
    "photos-keys",
    "Bound",
    "Everything is in place.",
    `kubectl portway bucket env photos -n ${namespace}`,
  ]);
  const { items } = JSON.parse((await alice.says("status", "-n", namespace, "-o", "json")).stdout) as {
    items: { door: string; object: string; phase: string }[];
  };
  deepEqual(
    items.map(({ door, object }) => [door, object]),
    [
      ["request", "storagetransferrequest.transfer.portway.dev/transfer-data"],
      ["bucket", "bucket.cosi.io/photos"],
    ],
  );
  await tenantWith(t, cluster, "bob", namespace, "portway-requester");
  await bindRole(cluster, "bob", namespace, "portway-approver");
  const bob = personWith(t, cluster.kubeconfigOf("bob"));
  await until("bob may see approvals", async () => (await bob.says("status", "-n", namespace)).code === 0);
  const his = await bob.says("status", "-n", namespace);
  match(his.stdout, /^REQUEST[^]*transfer-data/);
  equal(/BUCKET/.test(his.stdout), false);
  match(his.stderr, new RegExp(`not seen: all buckets in ${namespace} \\(this takes a right you do not have\\)`));
});

test("names of buckets and classes are completed with the rights of the person", async (t) => {
  const team = await newTeam(t, stage);
  const { alice, namespace, className } = team;
  await boundBucket(team);
  const completes = async (who: Person, ...words: string[]) =>
    (await who.says("__complete", "bucket", ...words.slice(0, 1), "-n", namespace, ...words.slice(1))).stdout;
  for (const name of ["describe", "env", "rm"]) equal(await completes(alice, name, "ph"), "photos\n:4\n", name);
  equal(await completes(alice, "rm", "other", "ph"), "photos\n:4\n", "and every further one");
  equal(await completes(alice, "create", "x", "--class", ""), ":4\n", "what she may not see is not offered");
  const root = rootOf(t, stage);
  equal(await completes(root, "create", "x", "--class", className), `${className}\n:4\n`);
  equal(await completes(root, "create", "x", `--class=${className.slice(0, -1)}`), `${className}\n:4\n`);
  const explained = await alice.says("__complete", "explain", "-n", namespace, "bucket/");
  equal(explained.stdout, "bucket/photos\n:4\n");
});
