import { equal, match } from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { tabRewrite } from "../../src/cli/apply/rewrites.ts";
import { cliStage, person } from "../cli/stage.ts";
import { until } from "../fixture/portway.ts";
import { blocks, textOf } from "./blocks.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;
const volume = { name: "pvc-fromfoo" };
const source = { namespace: "default", name: "pvc-foo" };
const target = { namespace: "development", name: "pvc-fromfoo" };

/** The claim that the seed speaks of with the volume it names, and one in the other namespace that says nothing yet. */
const ground = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pvc-fromfoo}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 1Gi}
  csi: {driver: seeds.test.portway.dev, volumeHandle: seed-000}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: seed-000
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: pvc-foo, namespace: default}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: seed-000
  volumeName: pvc-fromfoo
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: pvc-fromfoo, namespace: development}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: seed-000
`;

interface Printed {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
}

async function blockAt(at: string): Promise<string> {
  const block = blocks.find((one) => one.at === at);
  if (block === undefined) throw new Error(`there is no block ${at}`);
  return await textOf(block);
}

/** What the seed prints as the controller's own words stands on the object, to the letter. */
async function isOn(at: string, annotations: () => Promise<Readonly<Record<string, string>> | undefined>) {
  const printed = load(tabRewrite.rewritten(await blockAt(at))) as Printed;
  const words = Object.entries(printed.metadata.annotations);
  equal(words.length > 1, true);
  await until(`block ${at} is there`, async () => {
    const found = await annotations();
    return words.every(([key, value]) => found?.[key] === value);
  });
}

test("blocks 000-1 and 000-4, pasted as they are printed, give and accept; 000-2 and 000-3 are what the controller writes", async (t) => {
  await cluster.kubectl(["create", "namespace", target.namespace]);
  t.after(() => cluster.kubectl(["delete", "namespace", target.namespace, "--wait=false"]));
  t.after(() => cluster.kubectl(["delete", "pv", volume.name, "--wait=false", "--ignore-not-found"]));
  await cluster.apply(ground);
  await until("the source is bound", async () => {
    return (await admin.get(persistentVolumeClaims, source)).status?.phase === "Bound";
  });
  const root = person(t, stage, "admin");
  for (const [at, namespace] of [
    ["000-1", source.namespace],
    ["000-4", target.namespace],
  ] as const) {
    const { code, stdout, stderr } = await root.pipes(await blockAt(at), "apply", "-f", "-", "-n", namespace);
    equal(code, 0, stderr);
    match(stdout, /patched/);
    match(stderr, /tabs at the beginning of lines become four blanks/);
    match(stderr, /apiversion becomes apiVersion/);
  }
  await isOn("000-2", async () => (await admin.get(persistentVolumes, volume)).metadata.annotations);
  await isOn("000-3", async () => (await admin.get(persistentVolumeClaims, target)).metadata.annotations);
  const { uid } = (await admin.get(persistentVolumeClaims, source)).metadata;
  await admin.delete(persistentVolumeClaims, { ...source, uid });
  await until("it is complete", async () => {
    const { annotations } = (await admin.get(persistentVolumes, volume)).metadata;
    return annotations?.["pv.kubernetes.io/transfer-status"] === "complete";
  });
  const claim = await admin.get(persistentVolumeClaims, target);
  equal(claim.status?.phase, "Bound");
  equal((await admin.get(persistentVolumes, volume)).spec?.claimRef?.uid, claim.metadata.uid);
});
