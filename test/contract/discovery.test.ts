import { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { volumeSnapshots } from "../../src/api/gen/snapshot.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { discoveryOn } from "../../src/kube/discovery.ts";
import { adminClient } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const admin = await adminClient(await laneCluster());
after(() => admin.close());

test("what a manifest calls apiVersion and kind is found with its plural and its scope", async () => {
  const discovery = discoveryOn(admin);
  deepEqual(await discovery.find("v1", "PersistentVolumeClaim"), { ...persistentVolumeClaims });
  deepEqual(await discovery.find("storage.k8s.io/v1", "StorageClass"), { ...storageClasses });
  deepEqual(await discovery.find("snapshot.storage.k8s.io/v1", "VolumeSnapshot"), { ...volumeSnapshots });
  equal(await discovery.find("v1", "PersistentVolumeClaimTemplate"), undefined);
});

test("a kind, a version and a group that are not served are told as not served, not as an error", async () => {
  const discovery = discoveryOn(admin);
  equal(await discovery.serves(volumeSnapshots), true);
  equal(await discovery.serves({ ...volumeSnapshots, plural: "volumesnapshotlinks" }), false);
  equal(await discovery.serves({ ...volumeSnapshots, version: "v7" }), false);
  equal(await discovery.serves({ ...volumeSnapshots, group: "nobody.example" }), false);
});

test("a group is asked for once, until it is forgotten", async () => {
  let asked = 0;
  const counting = discoveryOn({
    ...admin,
    raw: async (request) => {
      asked++;
      return await admin.raw(request);
    },
  });
  await Promise.all([counting.serves(storageClasses), counting.find("storage.k8s.io/v1", "CSINode")]);
  equal(asked, 1);
  counting.forget();
  await counting.serves(storageClasses);
  equal(asked, 2);
});
