import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { promisify } from "node:util";
import { type Bucket, type BucketClass, buckets } from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { mayUse } from "../buckets/people.ts";
import { bucketGround, type Ground } from "../buckets/scene.ts";
import { startStore, type TestStore } from "../buckets/store.ts";
import {
  bucketController,
  type Installed,
  installDriver,
  type Measured,
  newClass,
  untilRegistered,
} from "../buckets/world.ts";
import { clientOf, newNamespace, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith, untilAllowed } from "../fixture/tenant.ts";
import { type Person, personWith } from "./person.ts";

/** A store, a driver for it and the controller, until the file is done. */
export interface BucketStage extends Ground {
  readonly store: TestStore;
  readonly driver: Installed;
  readonly controller: Measured;
}

export async function bucketStage(): Promise<BucketStage> {
  const ground = await bucketGround();
  const scope = { after };
  const store = await startStore(scope);
  const driver = await installDriver(scope, ground.cluster, store);
  const controller = await bucketController(scope, ground.cluster);
  await controller.start();
  await untilRegistered(ground.admin, driver);
  return { ...ground, store, driver, controller };
}

/** Alice, who has a namespace and may use a class by its name. She sees neither classes nor contents nor drivers. */
export interface Team {
  readonly namespace: string;
  readonly className: string;
  readonly alice: Person;
}

export async function newTeam(
  t: TestContext,
  { admin, cluster, driver }: BucketStage,
  fields: Omit<BucketClass, "metadata"> = { releasePolicy: "Delete" },
): Promise<Team> {
  const isStatic = fields.secretRef !== undefined;
  const made = await newClass(t, admin, isStatic ? fields : { provisioner: driver.name, ...fields });
  const className = made.metadata.name;
  const namespace = await newNamespace(t, admin);
  // Whatever a test leaves behind goes while its driver is there.
  t.after(() => cluster.kubectl(["delete", "buckets", "--all", "-n", namespace, "--wait=false"]));
  await tenantWith(t, cluster, "alice", namespace, "admin");
  const alice = personWith(t, cluster.kubeconfigOf("alice"));
  const client = await clientOf(cluster.kubeconfigOf("alice"));
  t.after(() => client.close());
  await untilAllowed(client, { verb: "create", group: "cosi.io", resource: "buckets", namespace });
  await mayUse(t, cluster, "alice", className);
  return { namespace, className, alice };
}

/** Words about buckets in the team's namespace, Alice's or somebody else's. */
export function speaker({ alice, namespace }: Team, who: Person = alice) {
  return (...words: string[]) => who.says("bucket", ...words, "-n", namespace);
}

/** From now on this user sees all classes, while the test runs. */
export async function seesClasses(t: TestContext, { cluster }: Ground, user: string): Promise<void> {
  const name = `t-${randomWord()}`;
  const role = "portway-bucketclass-viewer";
  await cluster.kubectl(["create", "clusterrolebinding", name, `--clusterrole=${role}`, `--user=${user}`]);
  t.after(() => cluster.kubectl(["delete", "clusterrolebinding", name]));
  const client = await clientOf(cluster.kubeconfigOf(user));
  t.after(() => client.close());
  await untilAllowed(client, { verb: "list", group: "cosi.io", resource: "bucketclasses" });
}

export function rootOf(t: TestContext, { cluster }: Ground): Person {
  return personWith(t, cluster.kubeconfigOf("admin"));
}

export async function untilTold(
  { admin }: Ground,
  { namespace }: Team,
  name: string,
  what: string,
  holds: (bucket: Stored<Bucket>) => boolean,
): Promise<Stored<Bucket>> {
  let found: Stored<Bucket> | undefined;
  await until(`the Bucket ${name} ${what}`, async () => {
    found = await admin.find(buckets, { namespace, name });
    return found !== undefined && holds(found);
  });
  return found as Stored<Bucket>;
}

export const isBound = ({ status }: Bucket) => status?.phase === "Bound";

/** Of which nothing but a word of the store's ever comes: there is no such bucket. */
export const nowhere = { bucketIdentifier: "none-such", releasePolicy: "Retain" } as const;

/** A Bucket `lost` of a team whose class leads nowhere. */
export async function stuckBucket(ground: Ground, team: Team): Promise<void> {
  const { alice, namespace, className } = team;
  await alice.says("bucket", "create", "lost", "--class", className, "--yes", "-n", namespace);
  await untilTold(ground, team, "lost", "has failed", ({ status }) => status?.phase === "Failed");
}

const portway = join(packageRoot, "src/bin/portway.ts");
const program = join(packageRoot, "test/buckets/aws-program.ts");

/** A tenant's program in a shell that has nothing but what is typed into it, as Alice. */
export async function programAfter(
  { cluster }: Ground,
  typed: (portway: string) => string,
): Promise<{ readonly worked: boolean; readonly told: string }> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", KUBECONFIG: cluster.kubeconfigOf("alice") };
  const run = (path: string) => `"${process.execPath}" "${path}"`;
  const script = `${typed(run(portway))}\nexec ${run(program)}`;
  try {
    const { stdout } = await promisify(execFile)("sh", ["-ec", script], { env });
    return { worked: true, told: stdout };
  } catch (problem) {
    return { worked: false, told: (problem as { readonly stderr: string }).stderr };
  }
}
