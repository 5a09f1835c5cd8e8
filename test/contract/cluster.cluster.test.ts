import { deepEqual, equal, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();

test("the role edit is aggregated before anybody is let in", async () => {
  const rules = await cluster.kubectl(["get", "clusterrole", "edit", "-o", "jsonpath={.rules}"]);
  ok((JSON.parse(rules) as unknown[]).length > 5);
});

test("ReferenceGrant is served as the Gateway API ships it", async () => {
  const versions = await cluster.kubectl([
    "get",
    "crd",
    "referencegrants.gateway.networking.k8s.io",
    "-o",
    "jsonpath={.spec.versions[*].name}",
  ]);
  deepEqual(versions.split(" ").sort(), ["v1", "v1beta1"]);
});

test("a VolumePopulator can be registered", async () => {
  const populator = {
    apiVersion: "populator.storage.k8s.io/v1beta1",
    kind: "VolumePopulator",
    metadata: { name: "git" },
    sourceKind: { group: "populate.portway.dev", kind: "GitSource" },
  };
  await cluster.apply(JSON.stringify(populator));
  equal(await cluster.kubectl(["get", "volumepopulator", "git", "-o", "jsonpath={.sourceKind.kind}"]), "GitSource");
});

test("the controllers that give up on silent nodes are off, and no other default one", async () => {
  const log = await readFile(join(cluster.directory, "logs", "kube-controller-manager.log"), "utf8");
  const off = [...log.matchAll(/controller is disabled" controller="([\w-]+)"/g)].map(([, name = ""]) => name);
  // The others are off in every Kubernetes unless somebody asks for them.
  deepEqual(off.sort(), [
    "bootstrap-signer-controller",
    "node-lifecycle-controller",
    "pod-garbage-collector-controller",
    "selinux-warning-controller",
    "taint-eviction-controller",
    "token-cleaner-controller",
  ]);
});
