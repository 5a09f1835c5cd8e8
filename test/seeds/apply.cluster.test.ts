import { equal, match } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { cliStage, person } from "../cli/stage.ts";
import { until } from "../fixture/portway.ts";
import { blocks, textOf } from "./blocks.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;

/** The claim that the seed speaks of, bound to a volume. */
const ground = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: seed-001}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 1Gi}
  csi: {driver: seeds.test.portway.dev, volumeHandle: seed-001}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: seed-001
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: foo, namespace: source-namespace}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: seed-001
  volumeName: seed-001
`;

test("blocks 001-1 and 001-2, pasted as they are printed, hand the claim over", async (t) => {
  for (const name of ["source-namespace", "target-namespace"]) {
    await cluster.kubectl(["create", "namespace", name]);
    t.after(() => cluster.kubectl(["delete", "namespace", name]));
  }
  t.after(() => cluster.kubectl(["delete", "pv", "seed-001", "--wait=false", "--ignore-not-found"]));
  await cluster.apply(ground);
  await until("the source is bound", async () => {
    const { status } = await admin.get(persistentVolumes, { name: "seed-001" });
    return status?.phase === "Bound";
  });
  const root = person(t, stage, "admin");
  for (const at of ["001-2", "001-1"]) {
    const block = blocks.find((one) => one.at === at);
    if (block === undefined) throw new Error(`there is no block ${at}`);
    const { code, stdout, stderr } = await root.pipes(await textOf(block), "apply", "-f", "-");
    equal(code, 0, stderr);
    match(stdout, /serverside-applied/);
    match(stderr, /apiVersion v1alpha1 becomes transfer\.portway\.dev\/v1alpha1: a kind of its own belongs to a group/);
  }
  await until("the request is complete", async () => {
    const key = { namespace: "target-namespace", name: "transfer-foo" };
    return (await admin.get(storageTransferRequests, key)).status?.complete === true;
  });
  const { spec } = await admin.get(persistentVolumes, { name: "seed-001" });
  equal(`${spec?.claimRef?.namespace ?? ""}/${spec?.claimRef?.name ?? ""}`, "target-namespace/bar");
});
