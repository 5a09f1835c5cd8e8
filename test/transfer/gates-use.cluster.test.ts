import { deepEqual, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { volumeAttachments } from "../../src/api/gen/storage.ts";
import { cloningProtection, snapshotProtection } from "../../src/api/transfer/names.ts";
import { keyOf, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, statusOf, untilTold } from "../fixture/transfer.ts";
import { areUntouched, boundPair, transferGround } from "./ground.ts";
import { areWaitedFor, obstaclesOn } from "./obstacles.ts";

/* What somebody does with the source or its volume at the moment. */
const { admin } = await transferGround();
const { made, finalizer, onClaimStatus, aPod, aClass } = obstaclesOn(admin);

areWaitedFor(admin, [
  { says: "a running pod", reason: "SourceInUse", names: /user \(Running\)/, put: (pair) => aPod(pair, "Running") },
  {
    says: "a pod that has ended",
    reason: "SourceInUse",
    names: /user \(Succeeded\)/,
    put: (pair) => aPod(pair, "Succeeded"),
  },
  {
    says: "an attachment to a node",
    reason: "VolumeAttached",
    names: /a-node/,
    put: ({ volume }) =>
      made(volumeAttachments, {
        metadata: { name: `a-${randomWord()}` },
        spec: {
          attacher: "none.portway.dev",
          nodeName: "a-node",
          source: { persistentVolumeName: volume.metadata.name },
        },
      }),
  },
  {
    says: "a snapshot that is being taken",
    reason: "SnapshotRunning",
    names: /snapshot/i,
    put: (pair) => finalizer(pair, snapshotProtection),
  },
  {
    says: "a clone that is being made",
    reason: "CloneRunning",
    names: /clone/i,
    put: (pair) => finalizer(pair, cloningProtection),
  },
  {
    says: "a claim that is being expanded",
    reason: "ResizeRunning",
    names: /resized/,
    async put(pair, t) {
      await aClass(t, pair, { allowVolumeExpansion: true });
      const grow = { spec: { resources: { requests: { storage: "2Gi" } } } };
      await until("the class is known", async () => {
        const grown = await admin.merge(persistentVolumeClaims, keyOf(pair.claim), grow).catch(() => undefined);
        return grown !== undefined;
      });
      return () => admin.merge(persistentVolumes, keyOf(pair.volume), { spec: { capacity: { storage: "2Gi" } } });
    },
  },
  {
    says: "a file system that is still to grow",
    reason: "ResizeRunning",
    names: /resized/,
    put: (pair) =>
      onClaimStatus(
        pair,
        { allocatedResourceStatuses: { storage: "NodeResizePending" } },
        { allocatedResourceStatuses: null },
      ),
  },
  {
    says: "a change of the volume's attributes",
    reason: "ResizeRunning",
    names: /resized/,
    put: (pair) =>
      onClaimStatus(
        pair,
        { modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: "gold" } },
        { modifyVolumeStatus: null },
      ),
  },
]);

test("a request that is to fail when pods use the source fails for good", async (t) => {
  const pair = await boundPair(t, admin);
  const undo = await aPod(pair, "Running");
  await approve(admin, pair.transfer);
  await ask(admin, pair.transfer, { whenInUse: "Fail" });
  match(await untilTold(admin, pair.transfer, "SourceInUse"), /user/);
  await undo();
  const { phase, error } = await statusOf(admin, pair.transfer);
  deepEqual([phase, error?.reason], ["Failed", "SourceInUse"]);
  ok(await areUntouched(admin, pair));
});

test("a volume that is being deleted goes nowhere", async (t) => {
  const pair = await boundPair(t, admin);
  await until("the volume is protected", async () => {
    const { finalizers = [] } = (await admin.get(persistentVolumes, keyOf(pair.volume))).metadata;
    return finalizers.includes("kubernetes.io/pv-protection");
  });
  await admin.delete(persistentVolumes, keyOf(pair.volume));
  await approve(admin, pair.transfer);
  await ask(admin, pair.transfer);
  await untilTold(admin, pair.transfer, "VolumeLeaving");
  ok(await areUntouched(admin, pair));
});
