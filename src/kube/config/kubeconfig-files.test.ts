import { deepEqual, rejects } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { failure, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import type { Environment } from "./environment.ts";
import { kubeconfigs } from "./kubeconfig-files.ts";

const directory = await temporaryDirectory();
const [one, two, missing] = [join(directory, "one"), join(directory, "two"), join(directory, "missing")];
const atHome = join(directory, ".kube", "config");
await mkdir(dirname(atHome));
for (const file of [one, two, atHome]) await writeFile(file, "kind: Config\n");

const orders: readonly (readonly [says: string, env: Environment, explicit: string | undefined, files: string[]])[] = [
  ["the file that was asked for, and no other", { KUBECONFIG: two, HOME: directory }, one, [one]],
  ["a relative path from where we are", {}, relative(process.cwd(), one), [one]],
  ["the files of KUBECONFIG in their order", { KUBECONFIG: `${two}:${one}`, HOME: directory }, undefined, [two, one]],
  ["each file once", { KUBECONFIG: `${one}:${two}:${one}` }, undefined, [one, two]],
  ["what is there of KUBECONFIG", { KUBECONFIG: `${missing}::${one}`, HOME: directory }, undefined, [one]],
  [
    "none when nothing of KUBECONFIG is there: a typo never leads to the cluster at home",
    { KUBECONFIG: missing, HOME: directory },
    undefined,
    [],
  ],
  ["the one at home when KUBECONFIG is empty", { KUBECONFIG: "", HOME: directory }, undefined, [atHome]],
  ["none when there is none", { KUBECONFIG: missing, HOME: missing }, undefined, []],
  ["none without a home", {}, undefined, []],
];

for (const [says, env, explicit, files] of orders) {
  test(`reads ${says}`, async () => {
    const configs = await kubeconfigs(env, explicit);
    deepEqual(
      configs.flatMap((config) => config.files),
      files,
    );
  });
}

test("a file that was asked for must exist", async () => {
  await rejects(
    kubeconfigs({ HOME: directory }, missing),
    failure(/kubeconfig .*missing does not exist/, /--kubeconfig/),
  );
});

test("a file that is there and cannot be read is not skipped", async () => {
  await rejects(kubeconfigs({ KUBECONFIG: `${directory}:${one}` }, undefined), failure(/kubeconfig .* is a directory/));
  await rejects(
    kubeconfigs({ KUBECONFIG: `${one}/x:${two}` }, undefined),
    failure(/one\/x has a file where a directory/),
  );
});

test("a file that is there and empty is not skipped", async () => {
  const empty = join(directory, "empty");
  await writeFile(empty, "");
  await rejects(kubeconfigs({ KUBECONFIG: `${empty}:${one}` }, undefined), failure(/kubeconfig .*empty is empty/));
});
