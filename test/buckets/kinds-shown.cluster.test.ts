import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import { keyOf, newNamespace, randomWord, refusalOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { told } from "../fixture/told.ts";
import { bucketGround } from "./scene.ts";
import { aBucket, aRegistration, newContent, nobodysDriver } from "./written.ts";

/* What the server makes of the kinds for people and for programs. */
const { cluster, admin } = await bucketGround();

test("a status is written through its own door only, and only with phases that are told of", async (t) => {
  const made = await admin.create(buckets, { ...aBucket(await newNamespace(t, admin)), status: { phase: "Bound" } });
  equal(made.status, undefined, "at CREATE it is dropped");
  equal((await admin.merge(buckets, keyOf(made), { status: { phase: "Bound" } })).status, undefined);
  const write = (status: object) => admin.merge(buckets, keyOf(made), { status }, { subresource: "status" });
  match((await refusalOf(write({ phase: "Ready" }))).message, /"Pending", "Bound", "Retrying", "Failed", "Releasing"/);
  equal((await write({ phase: "Bound" })).status?.phase, "Bound");
  equal((await admin.get(buckets, keyOf(made))).metadata.generation, 1);
  const content = keyOf(await newContent(t, admin));
  const phase = admin.merge(bucketContents, content, { status: { phase: "New" } }, { subresource: "status" });
  match((await refusalOf(phase)).message, /"Pending", "Ready", "Bound", "Released", "Failed", "Retrying"/);
});

test("kubectl waits for a Bucket by its phase and by a condition", async (t) => {
  const { metadata } = await admin.create(buckets, aBucket(await newNamespace(t, admin)));
  const wait = (what: string) =>
    cluster.kubectl(["-n", metadata.namespace ?? "", "wait", "bucket/photos", `--for=${what}`, "--timeout=60s"]);
  const waiting = Promise.all([wait("condition=SecretPublished"), wait("jsonpath={.status.phase}=Bound")]);
  const now = new Date().toISOString();
  const published = {
    type: "SecretPublished",
    status: "True",
    reason: "Settled",
    message: "m",
    lastTransitionTime: now,
  };
  const status = { phase: "Bound", conditions: [published] };
  await admin.merge(buckets, keyOf({ metadata }), { status }, { subresource: "status" });
  for (const said of await waiting) match(said, /bucket\.cosi\.io\/photos condition met/);
});

test("the server itself shows a driver its own contents and no others", async (t) => {
  const [mine, other] = [`mine-${randomWord()}`, `other-${randomWord()}`];
  const { metadata } = await newContent(t, admin, { provisioner: mine });
  await newContent(t, admin, { provisioner: other });
  const fieldSelector = `spec.provisioner=${mine}`;
  const listed: string[] = [];
  for await (const { items } of admin.pages(bucketContents, { fieldSelector }))
    listed.push(...items.map(({ spec }) => spec.provisioner ?? ""));
  deepEqual(listed, [mine]);
  const query = { fieldSelector, resourceVersion: metadata.resourceVersion };
  const seen = told(admin, bucketContents, "", query, ({ object }) => object.metadata.labels?.["last"] === "yes");
  await newContent(t, admin, { provisioner: other });
  await newContent(t, admin, { provisioner: mine });
  await admin.merge(bucketContents, keyOf({ metadata }), { metadata: { labels: { last: "yes" } } });
  deepEqual(
    (await seen).map(({ type, object }) => [type, (object as { spec: { provisioner?: string } }).spec.provisioner]),
    [
      ["ADDED", mine],
      ["MODIFIED", mine],
    ],
  );
});

test("people find the four kinds together, by short names, and read what their fields mean", async (t) => {
  const names = await cluster.kubectl(["api-resources", "--api-group=cosi.io", "--no-headers", "--sort-by=name"]);
  deepEqual(
    names
      .trim()
      .split("\n")
      .map((line) => line.split(/ +/)),
    [
      ["bucketclasses", "bktclass", "cosi.io/v1alpha1", "false", "BucketClass"],
      ["bucketcontents", "bktcontent", "cosi.io/v1alpha1", "false", "BucketContent"],
      ["buckets", "bkt", "cosi.io/v1alpha1", "true", "Bucket"],
      ["cosiregistrations", "cosireg", "cosi.io/v1alpha1", "false", "COSIRegistration"],
    ],
  );
  const namespace = await newNamespace(t, admin);
  await admin.create(buckets, aBucket(namespace));
  match(await cluster.kubectl(["-n", namespace, "get", "portway"]), /bucket\.cosi\.io\/photos +gold +photos-keys/);
  for (const [kind, field, words] of [
    ["buckets", "spec.secretName", /The Secret in this namespace that will hold the keys\./],
    ["buckets", "status.phase", /Pending until everything is there; Bound once the Secret holds/],
    ["bucketcontents", "spec.bucketIdentifier", /What the driver calls the bucket\./],
    ["bucketcontents", "status.accounts", /so that none is forgotten/],
    ["bucketclasses", "releasePolicy", /What becomes of a bucket whose Bucket is deleted\./],
    ["cosiregistrations", "spec.leaseName", /whether the driver lives\./],
  ] as const)
    await until(`${kind}.${field} is explained`, async () => {
      const said = await cluster.kubectl(["explain", `${kind}.${field}`, "--api-version=cosi.io/v1alpha1"]);
      return words.test(said.replaceAll(/\s+/g, " "));
    });
});

test("the three kinds are shown with what people look for", async (t) => {
  const namespace = await newNamespace(t, admin);
  const bucket = await admin.create(buckets, aBucket(namespace));
  const status = { phase: "Pending", bucketContentName: "gold-1", message: "Wait." };
  await admin.merge(buckets, keyOf(bucket), { status }, { subresource: "status" });
  const wide = await cluster.kubectl(["-n", namespace, "get", "bkt", "-o", "wide"]);
  match(
    wide,
    /^NAME +CLASS +SECRET +PHASE +AGE +CONTENT +MESSAGE\nphotos +gold +photos-keys +Pending +\d+s +gold-1 +W/,
  );
  const content = await newContent(t, admin, { bucketIdentifier: "id" });
  const contents = await cluster.kubectl(["get", "bktcontent", content.metadata.name, "-o", "wide"]);
  match(contents, /^NAME +MODE +PROVISIONER +POLICY +PHASE +AGE +NAMESPACE +BUCKET +IDENTIFIER\n/);
  match(contents, new RegExp(`Greenfield +${nobodysDriver} +Delete +\\d+s +nowhere +photos +id`));
  const name = `${randomWord()}.test.portway.dev`;
  const made = await admin.create(cosiRegistrations, aRegistration(name, { version: "1.2", protocols: ["s3"] }));
  t.after(() => admin.delete(cosiRegistrations, keyOf(made)));
  const registered = await cluster.kubectl(["get", "cosireg", name, "-o", "wide"]);
  match(registered, /^NAME +INSTANCE +NAMESPACE +VERSION +AGE +PROTOCOLS +CAPABILITIES\n\S+ +somebody +default +1\.2 /);
});
