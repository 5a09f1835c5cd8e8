import { deepEqual } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownCrds } from "./own-crds.ts";

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.dev
  names: { kind: Crate }
  versions:
    - { name: v1alpha1, served: false, storage: false }
    - { name: v1beta1, served: true, storage: false }
    - { name: v1, served: true, storage: true }
`;

test("without a folder there are no CRDs", async () => {
  deepEqual(await ownCrds("/nowhere/at/all"), { manifests: [], kinds: [] });
});

test("each CRD is wanted in the versions it serves, the stored one first, and no other manifest is applied", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "portway-crds-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "crates.yaml"), crd);
  await writeFile(join(folder, "kustomization.yaml"), "kind: Kustomization\n");
  deepEqual(await ownCrds(folder), {
    manifests: [crd],
    kinds: [{ group: "example.dev", versions: ["v1", "v1beta1"], kinds: ["Crate"] }],
  });
});
