import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../paths.ts";
import { recipeOf, sourcesOf } from "./fingerprint.ts";
import { addonParts, allParts, controlPlane, informer, linkFlagsOf } from "./parts.ts";

for (const part of allParts) {
  test(`${part.name} has a committed module`, async () => {
    const { modFile, fingerprint } = await recipeOf(part);
    ok(existsSync(modFile.replace(/\.mod$/, ".sum")));
    match(fingerprint, /^[0-9a-f]{16}$/);
  });
}

test("the server is stamped with the version that go.mod pins", async () => {
  const goMod = await readFile(join(packageRoot, "go/controlplane/1.33/go.mod"), "utf8");
  const flags = linkFlagsOf(controlPlane("1.33"), goMod);
  match(flags, /-X k8s\.io\/component-base\/version\.gitVersion=v1\.33\.\d+ /);
  match(flags, /-X k8s\.io\/client-go\/pkg\/version\.gitMinor=33/);
});

test("the host-path driver is stamped, or it would call itself unavailable", () => {
  const goMod = "require github.com/kubernetes-csi/csi-driver-host-path v1.7.2 // indirect";
  equal(linkFlagsOf(addonParts.hostpath, goMod), "-s -w -X main.version=v1.7.2");
});

test("a module that is not pinned is a bug, not an empty version", () => {
  throws(() => linkFlagsOf(controlPlane("1.36"), "module x"), /does not pin k8s.io\/kubernetes/);
});

test("the same source against other versions has another fingerprint", async () => {
  const prints = await Promise.all(["1.36", "1.35"].map(async (v) => (await recipeOf(controlPlane(v))).fingerprint));
  equal(new Set(prints).size, 2);
});

test("a part depends on the sources of its own packages, and on no others in its folder", async () => {
  deepEqual(await sourcesOf(controlPlane("1.36"), join(packageRoot, "go/controlplane")), [
    join(packageRoot, "go/controlplane/main.go"),
  ]);
  deepEqual(await sourcesOf(informer, join(packageRoot, "go/controlplane")), [
    join(packageRoot, "go/controlplane/informer/main.go"),
  ]);
});
