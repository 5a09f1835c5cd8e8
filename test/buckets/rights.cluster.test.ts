import { deepEqual, equal, match } from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, test } from "node:test";
import { resourceQuotas, secrets } from "../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import { BucketDriver } from "../../src/rpc/gen/buckets_pb.js";
import { connected } from "../driver/place.ts";
import { clientOf, keyOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { freshCache, portway, until } from "../fixture/portway.ts";
import { isAllowed, tenantWith } from "../fixture/tenant.ts";
import { allowed, mayUse } from "./people.ts";
import { aName, bucketGround } from "./scene.ts";
import { startStore } from "./store.ts";
import { driverPlace, newClass } from "./world.ts";
import { aBucket, aClass, nobodysDriver as provisioner } from "./written.ts";

const { cluster, admin } = await bucketGround();
const portwaysOwn = await clientOf(await cluster.serviceAccount("portway-system", "portway-buckets"));
after(() => portwaysOwn.close());

interface Rule {
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

async function rulesOf(...role: readonly string[]): Promise<readonly string[]> {
  const rules = JSON.parse(await cluster.kubectl(["get", ...role, "-o", "jsonpath={.rules}"])) as readonly Rule[];
  return rules
    .flatMap(({ resources, resourceNames = [], verbs }) =>
      resources.map((resource) => [resource, ...resourceNames, verbs.join(" ")].join(": ")),
    )
    .sort();
}

test("the account of the controller may do this and nothing else", async () => {
  deepEqual(await rulesOf("clusterrole", "portway-buckets"), [
    "bucketclasses: list watch",
    "bucketcontents/status: patch",
    "bucketcontents: get list watch create patch delete",
    "buckets/status: patch",
    "buckets: get list watch patch",
    "cosiregistrations: list watch",
    "events: create patch",
    "leases: get",
    "secrets: get create update delete",
  ]);
  deepEqual(await rulesOf("-n", "portway-system", "role", "portway-buckets"), [
    "leases: create",
    "leases: portway-buckets: get update",
  ]);
});

test("the account of a driver's sidecar may do this and nothing else", async (t) => {
  const { name, namespace } = await driverPlace(t, cluster);
  deepEqual(await rulesOf("clusterrole", `portway-cosi-${name}`), [
    "bucketcontents/status: patch",
    "bucketcontents: get list watch patch",
    "cosiregistrations: create",
    `cosiregistrations: ${name}: get list watch patch delete`,
    `leases: cosi-${name}: get`,
  ]);
  deepEqual(await rulesOf("-n", namespace, "role", "portway-cosi-sidecar"), [
    `leases: cosi-${name}: get update`,
    "leases: create",
    "secrets: get create update delete",
  ]);
  deepEqual(await rulesOf("-n", "default", "role", `portway-cosi-${name}`), ["events: create patch"]);
});

async function isForbidden(attempt: Promise<unknown>): Promise<void> {
  const { code, reason } = await refusalOf(attempt);
  deepEqual([code, reason], [403, "Forbidden"]);
}

async function all(pages: AsyncIterable<{ readonly items: readonly unknown[] }>): Promise<readonly unknown[]> {
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items);
}

test("nobody of Portway's lists or watches Secrets, and a sidecar reads none but those beside it", async (t) => {
  const { namespace: home } = await driverPlace(t, cluster);
  const sidecar = await clientOf(await cluster.serviceAccount(home, home));
  t.after(() => sidecar.close());
  const elsewhere = await newNamespace(t, admin);
  const metadata = (namespace: string) => ({ metadata: { namespace, name: "keys" } });
  for (const namespace of [home, elsewhere]) await admin.create(secrets, metadata(namespace));
  await until("its rights are known", () => isAllowed(sidecar, { verb: "get", resource: "secrets", namespace: home }));
  equal((await sidecar.get(secrets, { namespace: home, name: "keys" })).metadata.namespace, home);
  equal((await portwaysOwn.get(secrets, { namespace: elsewhere, name: "keys" })).metadata.namespace, elsewhere);
  for (const namespace of [elsewhere, "kube-system", "portway-system"]) {
    await isForbidden(sidecar.get(secrets, { namespace, name: "keys" }));
    await isForbidden(sidecar.create(secrets, { metadata: { namespace, name: aName() } }));
  }
  for (const client of [sidecar, portwaysOwn]) {
    await isForbidden(all(client.pages(secrets)));
    await isForbidden(client.watch(secrets, {}, {}));
    await isForbidden(all(client.pages(secrets, { namespace: home })));
    await isForbidden(client.watch(secrets, { namespace: home }, {}));
  }
});

test("neither account makes or changes what is the platform team's or a tenant's", async (t) => {
  const { name, namespace: home } = await driverPlace(t, cluster);
  const sidecar = await clientOf(await cluster.serviceAccount(home, home));
  t.after(() => sidecar.close());
  const namespace = await newNamespace(t, admin);
  const bucketClass = await newClass(t, admin, { provisioner });
  const bucket = keyOf(await admin.create(buckets, aBucket(namespace)));
  for (const client of [sidecar, portwaysOwn]) {
    await isForbidden(client.create(bucketClasses, aClass()));
    await isForbidden(client.delete(bucketClasses, keyOf(bucketClass)));
    await isForbidden(client.create(buckets, { ...aBucket(namespace), metadata: { namespace, name: "more" } }));
    await isForbidden(client.delete(buckets, bucket));
    await isForbidden(client.delete(cosiRegistrations, { name: `not-${name}`, uid: bucket.uid }));
  }
  await isForbidden(all(sidecar.pages(bucketClasses)));
  await isForbidden(all(sidecar.pages(buckets)));
  await isForbidden(all(sidecar.pages(cosiRegistrations)));
});

test("a driver is given nothing of Kubernetes: no flag for it, and it works with its own settings alone", async (t) => {
  const told = await portway(t, ["s3-driver", "--kubeconfig=/dev/null"]);
  equal(told.code, 2);
  match(told.stderr, /--kubeconfig/);
  const store = await startStore(t);
  const socket = `unix://${await freshCache(t)}/cosi.sock`;
  const words = ["s3-driver", `--endpoint=${socket}`, "--driver-name=s3.rights.test.portway.dev"];
  const child = spawn(process.execPath, ["src/bin/portway.ts", ...words, `--store-endpoint=${store.url}`], {
    env: {
      PORTWAY_S3_ROOT_ACCESS_KEY: store.root.access,
      PORTWAY_S3_ROOT_SECRET_KEY: store.root.secret,
      PORTWAY_S3_MASTER_KEY: "a master key for nothing but tests",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until("the driver listens", () => said.includes('"listening"'));
  const { bucketId } = await connected(t, { socket }).calls(BucketDriver).createBucket({ name: "photos" });
  equal(bucketId, "photos");
  const { namespace: home } = await driverPlace(t, cluster);
  const mounts = ["get", "serviceaccount", home, "-n", home, "-o", "jsonpath={.automountServiceAccountToken}"];
  equal(await cluster.kubectl(mounts), "false", "and no pod of this account gets a token unasked");
});

test("Buckets come with admin, are seen by view, and are not part of edit", async (t) => {
  const namespace = await newNamespace(t, admin);
  const bucketClass = (await newClass(t, admin, { provisioner })).metadata.name;
  for (const user of ["alice", "bob"]) await mayUse(t, cluster, user, bucketClass);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  const made = await alice.create(buckets, aBucket(namespace, { bucketClassName: bucketClass }));
  await alice.merge(buckets, keyOf(made), { metadata: { labels: { team: "a" } } });
  const bob = await tenantWith(t, cluster, "bob", namespace, "edit");
  equal((await bob.get(buckets, keyOf(made))).metadata.uid, made.metadata.uid, "whoever edits views");
  await isForbidden(bob.create(buckets, aBucket(namespace, { bucketClassName: bucketClass })));
  await isForbidden(bob.merge(buckets, keyOf(made), { metadata: { labels: { team: "b" } } }));
  await isForbidden(bob.delete(buckets, keyOf(made)));
  const viewed = await newNamespace(t, admin);
  const seen = await admin.create(buckets, aBucket(viewed));
  const mallory = await tenantWith(t, cluster, "mallory", viewed, "view");
  equal((await all(mallory.pages(buckets, { namespace: viewed }))).length, 1);
  await isForbidden(mallory.delete(buckets, keyOf(seen)));
  await isForbidden(mallory.get(buckets, keyOf(made)));
  await alice.delete(buckets, keyOf(made));
});

test("nobody sees classes, contents or drivers for having a namespace; a role of its own shows classes", async (t) => {
  const namespace = await newNamespace(t, admin);
  const { metadata } = await newClass(t, admin, { provisioner });
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  await mayUse(t, cluster, "alice", metadata.name);
  for (const kind of [bucketClasses, bucketContents, cosiRegistrations]) await isForbidden(all(alice.pages(kind)));
  await isForbidden(alice.get(bucketClasses, metadata));
  const binding = aName();
  const words = [binding, "--clusterrole=portway-bucketclass-viewer", "--user=alice"];
  await cluster.kubectl(["create", "clusterrolebinding", ...words]);
  t.after(() => cluster.kubectl(["delete", "clusterrolebinding", binding]));
  await until("she sees it", () => isAllowed(alice, { group: "cosi.io", resource: "bucketclasses", verb: "list" }));
  equal((await alice.get(bucketClasses, metadata)).metadata.uid, metadata.uid);
  await isForbidden(alice.delete(bucketClasses, keyOf({ metadata })));
});

test("a quota for Buckets is Kubernetes' own", async (t) => {
  const namespace = await newNamespace(t, admin);
  const bucketClass = (await newClass(t, admin, { provisioner })).metadata.name;
  await allowed(t, cluster, "alice", [{ resource: "bucketclasses", names: [bucketClass], verbs: ["use"] }]);
  const alice = await tenantWith(t, cluster, "alice", namespace, "admin");
  await cluster.kubectl(["-n", namespace, "create", "quota", "few", "--hard=count/buckets.cosi.io=1"]);
  const wish = (name: string) => ({
    ...aBucket(namespace, { bucketClassName: bucketClass }),
    metadata: { namespace, name },
  });
  await until("the quota is in force", async () => {
    return (await admin.get(resourceQuotas, { namespace, name: "few" })).status?.hard !== undefined;
  });
  await alice.create(buckets, wish("first"));
  const refusal = await refusalOf(alice.create(buckets, wish("second")));
  equal(refusal.isQuotaExceeded, true, refusal.message);
});
