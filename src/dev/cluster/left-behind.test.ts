import { deepEqual, ok } from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { tryLock } from "../lock.ts";
import { writeHolder } from "./holder.ts";
import { sweep, sweepKilled } from "./left-behind.ts";

/** A folder of clusters with one that has data, credentials and logs. */
async function clustersWith(t: TestContext, name: string): Promise<{ clusters: string; directory: string }> {
  const clusters = await mkdtemp(join(tmpdir(), "pw-clusters-"));
  t.after(() => rm(clusters, { recursive: true }));
  const directory = join(clusters, name);
  for (const folder of ["etcd", "pki", "logs"]) await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, "pki", "tokens.csv"), "secret");
  await writeHolder(join(directory, "holder.json"));
  return { clusters, directory };
}

test("what a killed cluster left behind is swept, and its logs stay", async (t) => {
  const { clusters, directory } = await clustersWith(t, "killed");
  await sweepKilled(clusters);
  deepEqual(await readdir(directory), ["logs"]);
});

test("a cluster that runs, or is starting, is left alone", async (t) => {
  const { clusters, directory } = await clustersWith(t, "running");
  const held = await tryLock(directory);
  ok(held);
  await sweepKilled(clusters);
  deepEqual((await readdir(directory)).sort(), ["etcd", "holder.json", "logs", "pki"]);
  await held.release();
});

test("a cluster of another container or machine that shares this folder is left alone: its lock cannot be seen", async (t) => {
  const { clusters, directory } = await clustersWith(t, "elsewhere");
  const holder = join(directory, "holder.json");
  await writeFile(
    holder,
    JSON.stringify({ ...(JSON.parse(await readFile(holder, "utf8")) as object), realm: "other" }),
  );
  await sweepKilled(clusters);
  deepEqual((await readdir(directory)).sort(), ["etcd", "holder.json", "logs", "pki"]);
});

test("without any cluster there is nothing to sweep", async (t) => {
  const { clusters } = await clustersWith(t, "any");
  await sweepKilled(join(clusters, "nowhere"));
});

test("where no logs are wanted, nothing stays", async (t) => {
  const { clusters, directory } = await clustersWith(t, "gone");
  await sweep(directory, false);
  deepEqual(await readdir(clusters), []);
});
