import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type BucketClass, bucketClasses, cosiRegistrations } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { freePort } from "../../src/dev/ports.ts";
import type { Client } from "../../src/kube/client.ts";
import { randomWord } from "../fixture/client.ts";
import { type Daemon, daemon } from "../fixture/daemon.ts";
import { freshCache, type Scope, until } from "../fixture/portway.ts";
import type { TestStore } from "./store.ts";

export interface Measured extends Daemon {
  /** What Prometheus would read now. */
  metrics(): Promise<string>;
}

const atWork = '"at work"';

/** `portway controller --domains=buckets`, as the account it ships with. */
export async function bucketController(t: Scope, cluster: Handle, flags: readonly string[] = []) {
  const kubeconfig = await cluster.serviceAccount("portway-system", "portway-buckets");
  const args = ["controller", "--domains=buckets", "--leader-election-identity=buckets-0", ...flags];
  return await measured(t, "the controller", [...args, `--kubeconfig=${kubeconfig}`]);
}

/** A driver and the sidecar beside it, each a process of its own, for one store. */
export interface Installed {
  readonly name: string;
  readonly namespace: string;
  readonly driver: Daemon;
  readonly sidecar: Measured;
  /** Where the driver listens. */
  readonly socket: string;
}

/** Puts `deploy/drivers/s3.yaml` into the cluster under a name of the test's own, and runs what it says, with those rights. */
export async function installDriver(
  t: Scope,
  cluster: Handle,
  store: TestStore,
  flags: readonly string[] = [],
): Promise<Installed> {
  const place = await driverPlace(t, cluster);
  const driver = s3DriverOf(t, place, store);
  const sidecar = await sidecarOf(t, cluster, place, flags);
  await driver.start();
  await sidecar.start();
  return { ...place, driver, sidecar };
}

/** `portway s3-driver` for this store. */
export function s3DriverOf(
  t: Scope,
  { name, socket }: Pick<DriverPlace, "name" | "socket">,
  store: Pick<TestStore, "url" | "root">,
  flags: readonly string[] = [],
): Daemon {
  const where = [`--endpoint=${socket}`, `--driver-name=${name}`, `--store-endpoint=${store.url}`];
  return daemon(t, {
    what: "the driver",
    args: ["s3-driver", ...where, "-v=4", ...flags],
    env: {
      PORTWAY_S3_ROOT_ACCESS_KEY: store.root.access,
      PORTWAY_S3_ROOT_SECRET_KEY: store.root.secret,
      PORTWAY_S3_MASTER_KEY: masterKey,
    },
    atWork: '"listening"',
  });
}

const masterKey = randomBytes(32).toString("hex");

export interface DriverPlace {
  readonly name: string;
  readonly namespace: string;
  readonly socket: string;
}

/** The namespace, account and rights of a driver, as they are shipped; nothing runs yet. Two may want the same name. */
export async function driverPlace(t: Scope, cluster: Handle, wanted?: string): Promise<DriverPlace> {
  const word = randomWord();
  const [name, namespace] = [wanted ?? `s3-${word}.test.portway.dev`, `t-driver-${word}`];
  const rights = `portway-cosi-${wanted === undefined ? name : word}`;
  const shipped = await readFile(join(packageRoot, "deploy/drivers/s3.yaml"), "utf8");
  const placed = [
    ["portway-cosi-s3.portway.dev", rights],
    ["s3.portway.dev", name],
    ["portway-s3", namespace],
  ] as const;
  await cluster.apply(placed.reduce((text, [from, to]) => text.replaceAll(from, to), shipped));
  t.after(async () => {
    await cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
    await cluster.kubectl(["delete", "clusterrole,clusterrolebinding", rights]);
    await cluster.kubectl(["delete", "role,rolebinding", rights, "-n", "default"]);
  });
  return { name, namespace, socket: `unix://${join(await freshCache(t), "cosi.sock")}` };
}

/** `portway cosi-sidecar` with the rights of this place. */
export async function sidecarOf(
  t: Scope,
  cluster: Handle,
  { namespace, socket }: DriverPlace,
  flags: readonly string[] = [],
): Promise<Measured> {
  const kubeconfig = await cluster.serviceAccount(namespace, namespace);
  const args = ["cosi-sidecar", `--driver-address=${socket}`, "--leader-election-identity=sidecar-0", ...flags];
  return await measured(t, "the sidecar", [...args, `--kubeconfig=${kubeconfig}`]);
}

async function measured(t: Scope, what: string, args: readonly string[]): Promise<Measured> {
  const endpoint = `127.0.0.1:${await freePort()}`;
  return {
    ...daemon(t, { what, args: [...args, `--http-endpoint=${endpoint}`, "-v=2"], atWork }),
    async metrics() {
      return await (await fetch(`http://${endpoint}/metrics`)).text();
    },
  };
}

/** A class of the test's own; it goes with the test. */
export async function newClass(
  t: TestContext,
  admin: Client,
  fields: Omit<BucketClass, "metadata">,
): Promise<Stored<BucketClass>> {
  const made = await admin.create(bucketClasses, { metadata: { name: `t-${randomWord()}` }, ...fields });
  t.after(() => dropClass(admin, made.metadata.name));
  return made;
}

/** Whether or not the test has done it already. */
export async function dropClass(admin: Client, name: string): Promise<void> {
  const found = await admin.find(bucketClasses, { name });
  if (found !== undefined) await admin.delete(bucketClasses, { name, uid: found.metadata.uid });
}

export async function untilRegistered(admin: Client, { name }: Pick<Installed, "name">): Promise<void> {
  await until(`${name} is registered`, async () => (await admin.find(cosiRegistrations, { name })) !== undefined);
}
