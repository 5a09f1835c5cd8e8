import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { type Daemon, daemon } from "../fixture/daemon.ts";
import { freshCache } from "../fixture/portway.ts";
import type { TestStore } from "./store.ts";
import { type Installed, type Measured, sidecarOf } from "./world.ts";

/** A driver and a sidecar beside it that do not run yet. */
export interface Foreign {
  readonly driver: Daemon;
  readonly sidecar: Measured;
}

/** A driver that calls itself like another one, with a sidecar that runs as the account of this namespace. */
export async function foreignDriver(
  t: TestContext,
  cluster: Handle,
  store: TestStore,
  { name, namespace }: Pick<Installed, "name" | "namespace">,
): Promise<Foreign> {
  const socket = `unix://${join(await freshCache(t), "cosi.sock")}`;
  const driver = daemon(t, {
    what: "the foreign driver",
    args: ["s3-driver", `--endpoint=${socket}`, `--driver-name=${name}`, `--store-endpoint=${store.url}`, "-v=4"],
    env: {
      PORTWAY_S3_ROOT_ACCESS_KEY: store.root.access,
      PORTWAY_S3_ROOT_SECRET_KEY: store.root.secret,
      PORTWAY_S3_MASTER_KEY: "a master key for nothing but tests",
    },
    atWork: '"listening"',
  });
  return { driver, sidecar: await sidecarOf(t, cluster, { name, namespace, socket }) };
}

/** What an administrator does who installs the same driver twice: another namespace with the same rights. */
export async function sameRightsElsewhere(
  t: TestContext,
  cluster: Handle,
  { name }: Pick<Installed, "name">,
  namespace: string,
): Promise<void> {
  const shipped = await readFile(join(packageRoot, "deploy/drivers/s3.yaml"), "utf8");
  const roles = `portway-cosi-${namespace}`;
  const renamed = shipped.replaceAll("portway-cosi-s3.portway.dev", roles).replaceAll("portway-s3", namespace);
  await cluster.apply(renamed.replaceAll("s3.portway.dev", name));
  t.after(async () => {
    await cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
    await cluster.kubectl(["delete", "clusterrole,clusterrolebinding", roles]);
    await cluster.kubectl(["delete", "role,rolebinding", roles, "-n", "default"]);
  });
}
