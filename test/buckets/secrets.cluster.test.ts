import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { requiredKeys } from "../../src/api/buckets/secret-keys.ts";
import { pods, type Secret, secrets } from "../../src/api/gen/core.ts";
import { buckets } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { monitor } from "../faults/monitor/monitor.ts";
import { keyOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { keysIn, s3With } from "./keys.ts";
import { soonChecked } from "./next-check.ts";
import {
  aName,
  bound,
  bucketGround,
  classOf,
  condition,
  newBucket,
  released,
  type Scene,
  sceneOn,
  untilBucket,
  untilTold,
} from "./scene.ts";

const ground = await bucketGround();

test("the Secret of a Bucket", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, namespace, controller } = scene;
  const secretOf = async (name: string) => await admin.get(secrets, { namespace, name });

  await t.test("one manifest with a Bucket and a pod: no version of the Secret was ever incomplete", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    const monitored = await monitor({ client: admin, watched: [{ resource: secrets, namespaces: [namespace] }] });
    await ground.cluster.apply(manifest(namespace, bucketClass));
    const place = { namespace, name: "app" };
    const pod = JSON.stringify(await admin.get(pods, place));
    match(pod, /"envFrom":\[\{"secretRef":\{"name":"app-keys"\}\}\]/, "it waits for the Secret, as kubelets let it");
    const bucket = await admin.get(buckets, place);
    await bound(scene, bucket);
    await monitored.caughtUp();
    const versions = monitored.history("secrets").filter(({ key }) => key === `${namespace}/app-keys`);
    await monitored.close();
    ok(versions.length > 0);
    for (const { object } of versions) {
      const { data = {} } = object as Stored<Secret>;
      deepEqual(
        requiredKeys.filter((key) => (data[key] ?? "") === ""),
        [],
        JSON.stringify(Object.keys(data)),
      );
    }
    await released(scene, bucket);
  });

  await t.test("in each rendering a program that knows only that one finds its bucket", async (t) => {
    const parameters = { "cosi.io/secret-format": "flat, aws,cosi,bucketinfo" };
    const bucket = await newBucket(scene, await classOf(t, scene, { parameters, releasePolicy: "Delete" }));
    const { bucketName } = await bound(scene, bucket);
    const secret = await secretOf(bucket.spec.secretName);
    for (const [rendering, open] of Object.entries(readers)) {
      const { client, Bucket } = open(secret);
      t.after(() => client.destroy());
      const object = { Bucket, Key: rendering };
      await client.send(new PutObjectCommand({ ...object, Body: rendering }));
      const { Body } = await client.send(new GetObjectCommand(object));
      equal(await Body?.transformToString(), rendering);
    }
    equal(bucketName, bucket.metadata.uid);
    await released(scene, bucket);
  });

  await t.test(
    "only the renderings of its class are in it; by AWS's names a program needs nothing but its environment",
    async (t) => {
      const parameters = { "cosi.io/secret-format": "aws" };
      const bucket = await newBucket(scene, await classOf(t, scene, { parameters, releasePolicy: "Delete" }));
      await untilBucket(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
      const env = textsIn(await secretOf(bucket.spec.secretName));
      deepEqual(Object.keys(env).sort(), [
        "AWS_ACCESS_KEY_ID",
        "AWS_ENDPOINT_URL",
        "AWS_REGION",
        "AWS_SECRET_ACCESS_KEY",
        "BUCKET_NAME",
      ]);
      equal(await saidBy("aws-program.ts", env), "hello from the environment");
      await released(scene, bucket);
    },
  );

  await t.test("a Secret that its user has deleted, and one that was changed, come back", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    await controller.stopped();
    const [lost, changed] = [await soonChecked(scene, bucketClass), await soonChecked(scene, bucketClass)];
    await controller.start();
    await bound(scene, lost);
    await bound(scene, changed);
    const [first, second] = [await secretOf(lost.spec.secretName), await secretOf(changed.spec.secretName)];
    await controller.stopped();
    await admin.delete(secrets, keyOf(first));
    await admin.update(secrets, { ...second, data: { ...second.data, accessKeyID: "", more: "" } });
    await controller.start();
    const dataOf = async ({ metadata }: Stored<Secret>) =>
      JSON.stringify((await admin.find(secrets, { namespace, name: metadata.name }))?.data);
    await until("the first is back", async () => (await dataOf(first)) === JSON.stringify(first.data));
    await until("the second is as before", async () => (await dataOf(second)) === JSON.stringify(second.data));
    equal((await secretOf(second.metadata.name)).metadata.uid, second.metadata.uid);
    await released(scene, lost);
    await released(scene, changed);
  });

  await t.test("a name that is taken is told, left alone, and used when it is free", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    const theirs = await admin.create(secrets, {
      metadata: { namespace, name: aName() },
      data: { password: Buffer.from("theirs").toString("base64") },
    });
    const bucket = await newBucket(scene, bucketClass, { secretName: theirs.metadata.name });
    const told = await untilBucket(
      scene,
      bucket,
      "it is told",
      ({ status }) => condition({ status: status ?? {} }, "SecretConflict")?.status === "True",
    );
    match(
      told.status?.message ?? "",
      new RegExp(`The Secret ${namespace}/${theirs.metadata.name} is not this Bucket's`),
    );
    match(told.status?.message ?? "", /Delete or rename that Secret/);
    await untilTold(scene, bucket, "SecretConflict");
    deepEqual(await secretOf(theirs.metadata.name), theirs);
    await admin.delete(secrets, keyOf(theirs));
    const keys = await bound(scene, bucket);
    equal(condition(await admin.get(buckets, keyOf(bucket)), "SecretConflict")?.status, "False");
    await s3With(t, keys).send(new PutObjectCommand({ Bucket: keys.bucketName, Key: "a", Body: "b" }));
    await released(scene, bucket);
  });

  await t.test("a Bucket that never got its Secret goes, and the one that was in the way stays", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    const theirs = await admin.create(secrets, { metadata: { namespace, name: aName() }, data: {} });
    const bucket = await newBucket(scene, bucketClass, { secretName: theirs.metadata.name });
    await untilBucket(
      scene,
      bucket,
      "it is told",
      ({ status }) => condition({ status: status ?? {} }, "SecretConflict")?.status === "True",
    );
    await released(scene, bucket);
    deepEqual(await secretOf(theirs.metadata.name), theirs);
  });

  await t.test("two Buckets that want one Secret: the first has it, and the second is told", async (t) => {
    const bucketClass = await classOf(t, scene, { releasePolicy: "Delete" });
    const first = await newBucket(scene, bucketClass);
    const keys = await bound(scene, first);
    const second = await newBucket(scene, bucketClass, { secretName: first.spec.secretName });
    await untilTold(scene, second, "SecretConflict");
    deepEqual(keysIn(await secretOf(first.spec.secretName)), keys);
    await released(scene, first);
    equal((await bound(scene, second)).bucketName, second.metadata.uid);
    await released(scene, second);
  });
});

function manifest(namespace: Scene["namespace"], bucketClass: string): string {
  return `
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: ${namespace}}
spec:
  containers:
    - name: app
      image: example.com/app
      envFrom: [{secretRef: {name: app-keys}}]
---
apiVersion: cosi.io/v1alpha1
kind: Bucket
metadata: {name: app, namespace: ${namespace}}
spec: {bucketClassName: ${bucketClass}, secretName: app-keys}
`;
}

function textsIn({ data = {} }: Secret): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
}

interface Opened {
  readonly client: S3Client;
  readonly Bucket: string;
}

/** Programs, each of which was written for one rendering and reads nothing else. */
const readers: Readonly<Record<string, (secret: Secret) => Opened>> = {
  flat(secret) {
    const { endpoint = "", region = "", bucketName = "", accessKeyID = "", accessSecretKey = "" } = textsIn(secret);
    return opened({ endpoint, region, id: accessKeyID, secret: accessSecretKey, Bucket: bucketName, pathStyle: true });
  },
  aws(secret) {
    const texts = textsIn(secret);
    const at = (name: string) => texts[name] ?? "";
    const [endpoint, region] = [at("AWS_ENDPOINT_URL"), at("AWS_REGION")];
    const keys = { id: at("AWS_ACCESS_KEY_ID"), secret: at("AWS_SECRET_ACCESS_KEY") };
    return opened({ endpoint, region, ...keys, Bucket: at("BUCKET_NAME"), pathStyle: true });
  },
  cosi(secret) {
    const texts = textsIn(secret);
    const at = (name: string) => texts[`COSI_S3_${name}`] ?? "";
    equal(texts["COSI_PROTOCOL"], "S3");
    const keys = { id: at("ACCESS_KEY_ID"), secret: at("ACCESS_SECRET_KEY") };
    const pathStyle = at("ADDRESSING_STYLE") === "path";
    return opened({ endpoint: at("ENDPOINT"), region: at("REGION"), ...keys, Bucket: at("BUCKET_ID"), pathStyle });
  },
  bucketinfo(secret) {
    const { spec } = JSON.parse(textsIn(secret)["BucketInfo"] ?? "") as BucketInfo;
    deepEqual([spec.authenticationType, spec.protocols], ["Key", ["s3"]]);
    const { endpoint, region, accessKeyID: id, accessSecretKey } = spec.secretS3;
    return opened({ endpoint, region, id, secret: accessSecretKey, Bucket: spec.bucketName, pathStyle: true });
  },
};

interface BucketInfo {
  readonly spec: {
    readonly bucketName: string;
    readonly authenticationType: string;
    readonly protocols: readonly string[];
    readonly secretS3: Readonly<Record<"endpoint" | "region" | "accessKeyID" | "accessSecretKey", string>>;
  };
}

interface Read {
  readonly endpoint: string;
  readonly region: string;
  readonly id: string;
  readonly secret: string;
  readonly Bucket: string;
  readonly pathStyle: boolean;
}

function opened({ endpoint, region, id, secret, Bucket, pathStyle: forcePathStyle }: Read): Opened {
  const credentials = { accessKeyId: id, secretAccessKey: secret };
  return { client: new S3Client({ endpoint, region, credentials, forcePathStyle }), Bucket };
}

/** The program's whole environment is what a pod would have from the Secret. */
async function saidBy(program: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    env: { ...env, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let words = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (words += text));
  const [code] = (await once(child, "close")) as [number | null];
  equal(code, 0);
  return words.trim();
}
