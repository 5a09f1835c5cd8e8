import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { secrets } from "../../src/api/gen/core.ts";
import { bucketClasses, buckets } from "../../src/api/gen/cosi.ts";
import { s3With, statusOf } from "../buckets/keys.ts";
import { mayUse } from "../buckets/people.ts";
import { aName, bound, bucketGround, released, sceneOn, untilContent } from "../buckets/scene.ts";
import { dropClass } from "../buckets/world.ts";
import { personWith } from "../cli/person.ts";
import { keyOf, newNamespace } from "../fixture/client.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { blocks, textOf } from "./blocks.ts";
import { type Entries, fieldsOf, filledIn } from "./forms.ts";

const ground = await bucketGround();

async function form(at: string): Promise<string> {
  const block = blocks.find((one) => one.at === at);
  if (block === undefined) throw new Error(`there is no block ${at}`);
  return await textOf(block);
}

test("blocks 002-1 and 002-3, filled in, make buckets of all three cases; 002-2 is what the controller writes", async (t) => {
  const scene = await sceneOn(t, ground);
  const { admin, cluster, namespace, driver, root, store } = scene;
  const platform = personWith(t, cluster.kubeconfigOf("admin"));
  const existing = aName();
  await root.send(new CreateBucketCommand({ Bucket: existing }));
  const flat = {
    endpoint: store.url,
    bucketName: existing,
    accessKeyID: store.root.access,
    accessSecretKey: store.root.secret,
  };
  const data = Object.fromEntries(
    Object.entries(flat).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
  const protectedNamespace = await newNamespace(t, admin);
  await admin.create(secrets, { metadata: { namespace: protectedNamespace, name: "store-keys" }, data });
  const alike = { supportedProtocols: "[s3]", accessMode: '"rw"', parameters: '{"cosi.io/secret-format": flat}' };
  const cases: Readonly<Record<string, Entries>> = {
    Greenfield: { ...alike, provisioner: driver.name, releasePolicy: '"Delete"' },
    Brownfield: { ...alike, provisioner: driver.name, releasePolicy: '"Retain"', bucketIdentifier: existing },
    Static: {
      ...alike,
      releasePolicy: '"Retain"',
      "secretRef/name": "store-keys",
      "secretRef/namespace": protectedNamespace,
    },
  };
  await tenantWith(t, cluster, "alice", namespace, "admin");
  const kubeconfig = cluster.kubeconfigOf("alice");

  for (const [mode, entries] of Object.entries(cases))
    await t.test(`${mode}, with what is optional left empty`, async (t) => {
      const [bucketClass, name] = [aName(), mode.toLowerCase()];
      t.after(() => dropClass(admin, bucketClass));
      const written = filledIn(await form("002-3"), { "metadata/name": bucketClass, ...entries });
      const { code, stderr } = await platform.pipes(written, "apply", "-f", "-");
      equal(code, 0, `${stderr}\n${written}`);
      match(stderr, /a field without a value becomes no field/);
      equal((await admin.get(bucketClasses, { name: bucketClass })).accessMode, "rw");

      await mayUse(t, cluster, "alice", bucketClass);
      const wish = filledIn(await form("002-1"), {
        "metadata/name": name,
        "metadata/namespace": namespace,
        "metadata/labels/cosi.io~1provisioner": driver.name,
        "spec/bucketPrefix": "YosemitePhotos-",
        "spec/bucketClassName": bucketClass,
        "spec/secretName": name,
      });
      await cluster.kubectl(["apply", "-f", "-"], { input: wish, kubeconfig });
      const bucket = await admin.get(buckets, { namespace, name });
      const keys = await bound(scene, bucket);
      const object = { Bucket: keys.bucketName, Key: "a", Body: "hello" };
      equal(await statusOf(s3With(t, keys).send(new PutObjectCommand(object))), 200);
      const content = await untilContent(scene, bucket, "it is bound", ({ status }) => status?.phase === "Bound");
      equal(content.spec.mode, mode);
      if (mode === "Greenfield") hasAllOf(await form("002-2"), content);
      const { metadata, status } = await admin.get(buckets, keyOf(bucket));
      deepEqual([status?.phase, status?.bucketContentName], ["Bound", content.metadata.name]);
      deepEqual(metadata.finalizers, ["cosi.io/finalizer"]);
      await released(scene, bucket);
    });
});

/** Every field of the form is there and has something in it, and the name is made as the seed says. */
function hasAllOf(text: string, content: object & { readonly metadata: { readonly name: string } }): void {
  const fields = fieldsOf(text).map((path) => path.replace(/^Metadata/, "metadata"));
  equal(fields.length, 21);
  for (const path of fields) {
    const found = path
      .split("/")
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key.replaceAll("~1", "/")], content);
    ok(found !== undefined && found !== "", `${path} is not there: ${JSON.stringify(content)}`);
  }
  match(content.metadata.name, /^t-\w+-[0-9a-f-]{36}$/);
}
