import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { secrets } from "../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import type { Client } from "../../src/kube/client.ts";
import { keyOf, newNamespace, randomWord, refusalOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { allowed, mayUse } from "./people.ts";
import { bucketGround } from "./scene.ts";
import { newClass } from "./world.ts";
import { aBucket, aClass, aContent, aRegistration, newContent, nobodysDriver as provisioner } from "./written.ts";

const { cluster, admin } = await bucketGround();

test("whoever administers a namespace makes Buckets of the classes that they may use, and of no others", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const [gold, other] = [await newClass(t, admin, { provisioner }), await newClass(t, admin, { provisioner })];
  const wish = (bucketClassName: string) => aBucket(namespace, { bucketClassName });
  await mayUse(t, cluster, "alice", gold.metadata.name);
  const made = await alice.create(buckets, wish(gold.metadata.name));
  const generated = { namespace, generateName: "more-" };
  await alice.create(buckets, { ...wish(gold.metadata.name), metadata: generated });
  await alice.merge(buckets, keyOf(made), { metadata: { labels: { team: "a" } } });
  const words: string[] = [];
  for (const name of [other.metadata.name, `no-such-${randomWord()}`]) {
    const refusal = await refusalOf(alice.create(buckets, { ...wish(name), metadata: { namespace, name: "theft" } }));
    deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucketclass-use"]);
    words.push(refusal.message.replaceAll(name, "CLASS"));
  }
  match(
    words[0] ?? "",
    /: alice may not use the BucketClass CLASS: that takes the right to use bucketclasses of that name/,
  );
  equal(words[0], words[1], "nobody learns whether there is such a class");
  equal(await admin.find(buckets, { namespace, name: "theft" }), undefined);
});

test("a right to a class that was taken away keeps nobody from changing or deleting what was made with it", async (t) => {
  const namespace = await newNamespace(t, admin);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const made = await admin.create(buckets, aBucket(namespace, { bucketClassName: `never-${randomWord()}` }));
  await alice.merge(buckets, keyOf(made), { metadata: { labels: { team: "a" } } });
  await alice.delete(buckets, keyOf(made));
  equal(await admin.find(buckets, keyOf(made)), undefined);
});

test("a class hands out no Secret that its author could not read", async (t) => {
  const [own, platform] = [await newNamespace(t, admin), await newNamespace(t, admin)];
  for (const namespace of [own, platform]) await admin.create(secrets, { metadata: { namespace, name: "keys" } });
  const mallory = await allowed(t, cluster, "mallory", [{ resource: "bucketclasses", verbs: ["create"] }]);
  await tenantWith(t, cluster, "mallory", own, "admin");
  const written = async (secretRef: object) => {
    const { name, uid } = (await mallory.create(bucketClasses, aClass({ secretRef }))).metadata;
    t.after(() => admin.delete(bucketClasses, { name, uid }));
  };
  await written({ namespace: own, name: "keys" });
  const words: string[] = [];
  for (const name of ["keys", "no-such"]) {
    const refusal = await refusalOf(written({ namespace: platform, name }));
    deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucketclass-secret"]);
    words.push(refusal.message.replaceAll(name, "SECRET"));
  }
  match(words[0] ?? "", new RegExp(`may not hand out the Secret ${platform}/SECRET by a BucketClass`));
  equal(words[0]?.replaceAll(/t-\w+/g, ""), words[1]?.replaceAll(/t-\w+/g, ""), "nobody learns whether it is there");
  const right = ["--verb=get", "--resource=secrets", "--resource-name=keys"];
  await cluster.kubectl(["-n", platform, "create", "role", "keys", ...right]);
  await cluster.kubectl(["-n", platform, "create", "rolebinding", "keys", "--role=keys", "--user=mallory"]);
  await until("she may read it", () =>
    written({ namespace: platform, name: "keys" }).then(
      () => true,
      () => false,
    ),
  );
});

/** Somebody with the rights of a sidecar of this driver, and a namespace in which they see Secrets. */
async function sidecarOf(t: TestContext, driver: string): Promise<{ readonly as: Client; readonly home: string }> {
  const as = await allowed(t, cluster, "bob", [
    { resource: "bucketcontents", verbs: ["get", "patch"] },
    { resource: "bucketcontents/status", verbs: ["patch"] },
    { resource: "cosiregistrations", verbs: ["create"] },
    { resource: "cosiregistrations", names: [driver], verbs: ["patch"] },
  ]);
  const home = await newNamespace(t, admin);
  await tenantWith(t, cluster, "bob", home, "admin");
  return { as, home };
}

const drivers = () => [`mine-${randomWord()}.test.portway.dev`, `other-${randomWord()}.test.portway.dev`] as const;

type Change = readonly [change: object, subresource?: "status"];

test("a sidecar changes its own driver's contents, by either door, and nobody else's", async (t) => {
  const [mine, other] = drivers();
  const { as } = await sidecarOf(t, mine);
  const { metadata } = await newClass(t, admin, { provisioner });
  const owner = { apiVersion: "cosi.io/v1alpha1", kind: "BucketClass", name: metadata.name, uid: metadata.uid };
  const changes: readonly Change[] = [
    [{ spec: { bucketIdentifier: "mine" } }],
    [{ metadata: { labels: { a: "b" } } }],
    [{ metadata: { annotations: { a: "b" } } }],
    [{ metadata: { finalizers: [] } }],
    [{ metadata: { ownerReferences: [owner] } }],
    [{ status: { phase: "Failed" } }, "status"],
  ];
  const held = async (spec: object) => {
    const { metadata } = await newContent(t, admin, spec);
    t.after(() => admin.merge(bucketContents, keyOf({ metadata }), { metadata: { finalizers: null } }).catch(() => {}));
    return await admin.merge(bucketContents, keyOf({ metadata }), {
      metadata: { finalizers: ["test.portway.dev/hold"] },
    });
  };
  const changed = (name: string, [change, subresource]: Change) =>
    as.merge(bucketContents, { name }, change, subresource === undefined ? {} : { subresource });

  const own = await held({ provisioner: mine });
  for (const change of changes) await changed(own.metadata.name, change);
  const keys = { mode: "Static", provisioner: undefined, secretRef: { namespace: "default", name: "keys" } };
  for (const spec of [{ provisioner: other }, keys]) {
    const foreign = await held({ ...spec, releasePolicy: "Retain" });
    for (const change of changes) {
      const refusal = await refusalOf(changed(foreign.metadata.name, change));
      deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucket-contents"], JSON.stringify(change));
    }
    await changed(foreign.metadata.name, [{ spec: { releasePolicy: "Retain" } }]);
    deepEqual(await admin.get(bucketContents, foreign.metadata), foreign, "what changes nothing passes");
  }
  const foreign = await newContent(t, admin, { provisioner: other });
  const { message } = await refusalOf(changed(foreign.metadata.name, [{ status: { phase: "Failed" } }, "status"]));
  match(message, new RegExp(`takes the right to delete it, or to patch the COSIRegistration ${other} of its driver`));
});

test("a sidecar names only Secrets that it can read itself", async (t) => {
  const [mine] = drivers();
  const { as, home } = await sidecarOf(t, mine);
  const content = keyOf(await newContent(t, admin, { provisioner: mine }));
  const name = (namespace: string) =>
    as.merge(bucketContents, content, { spec: { secretRef: { namespace, name: "keys" } } });
  const refusal = await refusalOf(name("kube-system"));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucket-contents"]);
  match(
    refusal.message,
    /bob may not name the Secret kube-system\/keys in a BucketContent: that takes the right to get/,
  );
  await name(home);
  await as.merge(bucketContents, content, { metadata: { labels: { c: "d" } } });
});

test("whoever may make contents forges none with a Secret that they cannot read", async (t) => {
  const mallory = await allowed(t, cluster, "mallory", [{ resource: "bucketcontents", verbs: ["create"] }]);
  const own = await newNamespace(t, admin);
  await tenantWith(t, cluster, "mallory", own, "admin");
  const forged = (namespace: string) =>
    mallory.create(
      bucketContents,
      aContent({
        mode: "Static",
        releasePolicy: "Retain",
        provisioner: undefined,
        secretRef: { namespace, name: "a" },
      }),
      { dryRun: true },
    );
  await forged(own);
  const refusal = await refusalOf(forged("kube-system"));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucket-contents"]);
});

test("a sidecar registers the driver whose registration it may patch, and no other", async (t) => {
  const [mine, other] = drivers();
  const { as } = await sidecarOf(t, mine);
  const refusal = await refusalOf(as.create(cosiRegistrations, aRegistration(other)));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-bucket-drivers"]);
  match(refusal.message, new RegExp(`bob may not register the driver ${other}: that takes the right to patch`));
  const made = await as.create(cosiRegistrations, aRegistration(mine));
  t.after(() => admin.delete(cosiRegistrations, keyOf(made)));
});

test("the garbage collector is not kept from its work: it lets contents go and takes owners off them", async (t) => {
  const owned = async () => {
    const { metadata } = await admin.create(bucketClasses, aClass());
    const { name, uid } = metadata;
    const content = keyOf(await newContent(t, admin));
    const ownerReferences = [{ apiVersion: "cosi.io/v1alpha1", kind: "BucketClass", name, uid }];
    await admin.merge(bucketContents, content, { metadata: { ownerReferences } });
    return { owner: { name, uid }, content };
  };
  const [left, gone] = [await owned(), await owned()];
  await admin.delete(bucketClasses, left.owner, { propagationPolicy: "Orphan" });
  await until("the owner is taken off", async () => {
    return (await admin.get(bucketContents, left.content)).metadata.ownerReferences === undefined;
  });
  await admin.delete(bucketClasses, gone.owner, { propagationPolicy: "Foreground" });
  await until("the content is gone", async () => (await admin.find(bucketContents, gone.content)) === undefined);
  equal((await admin.get(bucketContents, left.content)).metadata.deletionTimestamp, undefined);
});

test("the audit log says who used which class and who handed out which Secret", async (t) => {
  const namespace = await newNamespace(t, admin);
  const { metadata } = await newClass(t, admin, { secretRef: { namespace, name: "keys" } });
  const bucketClassName = metadata.name;
  await admin.create(buckets, aBucket(namespace, { bucketClassName }));
  const expected = [
    `"portway-bucketclass-use/used":"admin asks for the Bucket ${namespace}/photos of the class ${bucketClassName}"`,
    `"portway-bucketclass-secret/handed-out":"admin hands out the Secret ${namespace}/keys by the BucketClass ${bucketClassName}"`,
  ];
  await until("both are in the log", async () => {
    const log = await readFile(join(cluster.directory, "logs", "audit.log"), "utf8");
    return expected.every((words) => log.includes(words));
  });
});

test("the server finds no fault with the expressions of our policies about buckets", async () => {
  for (const name of ["bucketclass-use", "bucketclass-secret", "bucket-contents", "bucket-drivers"]) {
    const read = (path: string) =>
      cluster.kubectl(["get", "validatingadmissionpolicy", `portway-${name}`, "-o", `jsonpath={${path}}`]);
    const generation = await read(".metadata.generation");
    await until(`${name} was checked`, async () => (await read(".status.observedGeneration")) === generation);
    equal(await read(".status.typeChecking.expressionWarnings"), "", name);
  }
});
