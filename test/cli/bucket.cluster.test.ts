import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { secrets } from "../../src/api/gen/core.ts";
import { type BucketClass, bucketClasses, buckets } from "../../src/api/gen/cosi.ts";
import { mayUse } from "../buckets/people.ts";
import { dropClass } from "../buckets/world.ts";
import {
  bucketStage,
  isBound,
  newTeam,
  programAfter,
  rootOf,
  seesClasses,
  speaker,
  untilTold,
} from "./bucket-stage.ts";

const stage = await bucketStage();
const { admin, cluster } = stage;
const greeting = "hello from the environment\n";

test("somebody who may use a class makes a bucket, a program works with the printed lines, and after rm it gets 403", async (t) => {
  const team = await newTeam(t, stage);
  const says = speaker(team);
  const words = ["create", "photos", "--class", team.className, "--prefix", "Photos-"];
  const asked = await says(...words);
  equal(asked.code, 2, "what becomes of it she may not see, so she is asked");
  match(asked.stderr, /what becomes of the bucket when the Bucket is deleted, you may not see/);
  match(asked.stderr, /not seen: bucketclasses\/.* \(this takes a right you do not have\)/);
  equal(await admin.find(buckets, { namespace: team.namespace, name: "photos" }), undefined, "and nothing is done");

  const made = await says(...words, "--yes", "--wait");
  equal(made.code, 0, made.stderr);
  equal(made.stdout, "bucket.cosi.io/photos created\n");
  match(made.stderr, /its name in the store begins with photos-\n/);
  match(made.stderr, /photos: Bound \(Settled/);
  match(made.stderr, /eval "\$\(kubectl portway bucket env photos -n /);

  const env = await says("env", "photos");
  equal(env.stderr, "");
  const open = (portway: string) => `eval "$(${portway} bucket env photos -n ${team.namespace})"`;
  deepEqual(await programAfter(stage, open), { worked: true, told: greeting });

  equal((await says("rm", "photos")).code, 2, "not without a yes");
  const removed = await says("rm", "photos", "--yes", "--wait");
  equal(removed.code, 0, removed.stderr);
  equal(removed.stdout, "bucket.cosi.io/photos deleted\n");
  match(removed.stderr, /BucketDeleted: Its keys are void/);
  equal(await admin.find(buckets, { namespace: team.namespace, name: "photos" }), undefined);
  const { worked, told } = await programAfter(stage, () => env.stdout);
  equal(worked, false);
  match(told, /httpStatusCode: 403/);
});

test("who sees the class is told what will happen, at the beginning and at the end, and is not asked", async (t) => {
  const team = await newTeam(t, stage, { releasePolicy: "Delete", accessMode: "ro" });
  await seesClasses(t, stage, "alice");
  const says = speaker(team);
  const words = ["create", "photos", "--class", team.className, "--secret", "mine"];
  const tried = await says(...words, "--dry-run=server");
  deepEqual([tried.code, tried.stdout], [0, "bucket.cosi.io/photos created (server dry run)\n"], tried.stderr);
  match(
    tried.stderr,
    /a new bucket is made by the driver s3-\S+, and keys to it\n.*the keys can read, and not write\n/,
  );
  match(
    tried.stderr,
    /the Secret \S+\/mine, once all of them are there\n.*the bucket and everything in it is destroyed/,
  );
  const drawn = await says(...words, "--dry-run=client", "-o", "json");
  deepEqual((JSON.parse(drawn.stdout) as { spec: object }).spec, {
    bucketClassName: team.className,
    secretName: "mine",
  });
  equal(await admin.find(buckets, { namespace: team.namespace, name: "photos" }), undefined, "nothing is stored");
  equal((await says(...words)).code, 0);
});

const others: readonly (readonly [says: string, fields: Omit<BucketClass, "metadata">, told: RegExp])[] = [
  [
    "a bucket that is there",
    { bucketIdentifier: "theirs", releasePolicy: "Retain" },
    /the bucket theirs is there already; .*makes keys to it[^]*the prefix a- is ignored[^]*its keys are void, and the bucket is kept/,
  ],
  [
    "keys that are there",
    { secretRef: { namespace: "default", name: "given" }, releasePolicy: "Retain" },
    /those in the Secret default\/given are handed out[^]*the keys stay good for whoever has copied them/,
  ],
];

for (const [says, fields, told] of others) {
  test(`of a class for ${says} it is told what is made and what is not`, async (t) => {
    const team = await newTeam(t, stage, fields);
    await seesClasses(t, stage, "alice");
    const { code, stderr } = await speaker(team)(
      "create",
      "x",
      "--class",
      team.className,
      "--prefix=a-",
      "--dry-run=server",
    );
    equal(code, 0, stderr);
    match(stderr, told);
  });
}

test("what cannot work is refused before anything is written, with its name and what to do", async (t) => {
  const team = await newTeam(t, stage);
  const { namespace, className } = team;
  await seesClasses(t, stage, "alice");
  await admin.create(secrets, { metadata: { namespace, name: "theirs" }, data: {} });
  const says = speaker(team);
  equal((await says("create", "first", "--class", className)).code, 0);
  const foreign = await newTeamClass(t);
  const wrong: readonly (readonly [words: string, told: RegExp])[] = [
    ["create a --class none-such", /there is no BucketClass none-such\nThere are these: .*t-/],
    [
      `create a --class ${foreign}`,
      /alice may not use the BucketClass[^]*kubectl auth can-i use bucketclasses\.cosi\.io\//,
    ],
    [`create a --class ${className} --secret theirs`, /the Secret \S+\/theirs is there already[^]*--secret/],
    [`create a --class ${className} --secret first-keys`, /(the Bucket \S+\/first wants|first-keys is there already)/],
    [`create first --class ${className}`, /there is a Bucket \S+\/first already\n.*bucket describe first/],
  ];
  for (const [words, told] of wrong) {
    const { code, stdout, stderr } = await says(...words.split(" "));
    deepEqual([code, stdout], [1, ""], words);
    match(stderr, told);
  }
  equal(await admin.find(buckets, { namespace, name: "a" }), undefined);

  /** Nobody was given the right to use it. */
  async function newTeamClass(test: typeof t): Promise<string> {
    const { metadata } = await admin.create(bucketClasses, {
      metadata: { name: `${className}-x` },
      provisioner: stage.driver.name,
    });
    test.after(() => dropClass(admin, metadata.name));
    return metadata.name;
  }
});

test("a wait ends when it will not pass by itself, or when nobody waits any longer, and says what to do", async (t) => {
  const team = await newTeam(t, stage, { bucketIdentifier: "none-such", releasePolicy: "Retain" });
  const says = speaker(team);
  const words = ["create", "photos", "--class", team.className, "--yes", "--wait"];
  const failed = await says(...words);
  deepEqual([failed.code, failed.stdout], [1, "bucket.cosi.io/photos created\n"]);
  match(failed.stderr, /photos has failed: Failed \(DriverRefused: The driver says: /);
  match(failed.stderr, /Ask the platform team.*kubectl portway explain bucket\/photos -n .* says more/);
  const { code, stderr } = await says("env", "photos");
  equal(code, 1);
  match(stderr, /the Bucket \S+\/photos is not bound: Failed\. The driver says: [^]*\nAsk the platform team/);
  const hers = { namespace: team.namespace, name: "held" };
  await admin.create(buckets, {
    metadata: { ...hers, finalizers: ["test.portway.dev/held"] },
    spec: { bucketClassName: team.className, secretName: "held" },
  });
  t.after(() => admin.merge(buckets, hers, { metadata: { finalizers: null } }).catch(() => undefined));
  const late = await says("rm", "held", "--yes", "--wait", "--timeout=2s");
  deepEqual([late.code, late.stdout], [1, "bucket.cosi.io/held deleted\n"]);
  match(late.stderr, /held is not gone after 2 s: [^]*It goes on by itself; kubectl portway explain bucket\/held/);
  match((await says("env", "held")).stderr, /the Bucket \S+\/held is being deleted, and its keys with it/);
});

test("a Secret that somebody else has made meanwhile is told, and left to whoever made it", async (t) => {
  const team = await newTeam(t, stage);
  const { namespace, className } = team;
  await admin.create(secrets, { metadata: { namespace, name: "photos-keys" }, data: {} });
  // `bucket create` would not do it.
  const spec = { bucketClassName: className, secretName: "photos-keys" };
  await admin.create(buckets, { metadata: { namespace, name: "photos" }, spec });
  await untilTold(stage, team, "photos", "is in conflict", ({ status }) =>
    (status?.conditions ?? []).some(({ type }) => type === "SecretConflict"),
  );
  const { code, stderr } = await speaker(team)("env", "photos");
  equal(code, 1);
  match(stderr, /is not bound: Retrying\. The Secret \S+ is not this Bucket's/);
  match(stderr, /\nDelete or rename that Secret.*kubectl portway explain bucket\/photos -n /);
  const told = await team.alice.says("explain", "bucket/photos", "-n", namespace);
  match(told.stdout, /In the way:\n {2}- refuse: SecretConflict\. The Secret \S+\/photos-keys is not this Bucket's/);
});

test("who removes a bucket that is kept learns how to open it again, and it opens with what was in it", async (t) => {
  const team = await newTeam(t, stage, { releasePolicy: "Retain", accessMode: "rw" });
  const { namespace } = team;
  const says = speaker(team);
  equal((await says("create", "photos", "--class", team.className, "--yes", "--wait")).code, 0);
  const open = (name: string) => (portway: string) => `eval "$(${portway} bucket env ${name} -n ${namespace})"`;
  equal((await programAfter(stage, open("photos"))).worked, true);
  const root = rootOf(t, stage);
  const planned = await speaker(team, root)("rm", "photos", "--dry-run=server");
  equal(planned.code, 0);
  match(
    planned.stderr,
    /its keys are void, and the bucket is kept with everything in it; this class opens it again: \{/,
  );
  equal((await untilTold(stage, team, "photos", "is still there", isBound)).metadata.deletionTimestamp, undefined);
  const line = /opens it again: (\{.*\})$/m;
  const [, inPlan = ""] = line.exec(planned.stderr) ?? [];
  const removed = await says("rm", "photos", "--yes", "--wait");
  const [, told = ""] = line.exec(removed.stderr) ?? [];
  equal(told, inPlan, "who may not see it before is told it by Portway at the end");
  const again = JSON.parse(told) as BucketClass & { metadata: { name: string } };
  await admin.create(bucketClasses, again);
  t.after(() => dropClass(admin, again.metadata.name));
  await mayUse(t, cluster, "alice", again.metadata.name);
  equal((await says("create", "again", "--class", again.metadata.name, "--yes", "--wait")).code, 0);
  const look = "const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');";
  const get =
    "new S3Client({ forcePathStyle: true }).send(new GetObjectCommand({ Bucket: process.env.BUCKET_NAME, Key: 'greeting' }))";
  const { told: found } = await programAfter(
    stage,
    (portway) =>
      `${open("again")(portway)}\nexec "${process.execPath}" -e "${look} ${get}.then(async ({ Body }) => console.log(await Body.transformToString()))"`,
  );
  equal(found, greeting);
});

test("several are removed in one go or none of them", async (t) => {
  const team = await newTeam(t, stage);
  const says = speaker(team);
  for (const name of ["a", "b", "c"]) equal((await says("create", name, "--class", team.className, "--yes")).code, 0);
  for (const name of ["a", "b"])
    await admin.merge(buckets, { namespace: team.namespace, name }, { metadata: { labels: { app: "shop" } } });
  const missing = await says("rm", "a", "b", "nothing", "--yes");
  deepEqual([missing.code, missing.stdout], [1, ""]);
  match(missing.stderr, /there is no Bucket \S+\/nothing, so nothing was deleted\n.*kubectl portway bucket list/);
  const none = await says("rm", "-l", "app=none", "--yes");
  match(none.stderr, /no Bucket of \S+ has the labels app=none/);
  const tried = await says("rm", "-l", "app=shop", "--dry-run=server");
  match(tried.stderr, /2 Buckets are deleted:\n[^]*All 2 would work; nothing was changed/);
  const left = async () => (await says("list", "-o", "name")).stdout;
  equal(await left(), "bucket.cosi.io/a\nbucket.cosi.io/b\nbucket.cosi.io/c\n");
  const removed = await says("rm", "-l", "app=shop", "--yes", "--wait");
  equal(removed.code, 0, removed.stderr);
  equal(await left(), "bucket.cosi.io/c\n");
});
