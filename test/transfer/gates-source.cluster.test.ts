import { match, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { allowAnnotation, deletionSecretNamespace } from "../../src/api/transfer/names.ts";
import { claimThatIs, newClaim, newPlace, newVolume, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask, transferOf, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { areUntouched, boundPair, transferGround } from "./ground.ts";
import { areWaitedFor, obstaclesOn } from "./obstacles.ts";

/* What the source, its volume or its class are like, and the switch. */
const { cluster, admin, controller } = await transferGround();
const { finalizer, onVolume, aClass } = obstaclesOn(admin);

areWaitedFor(admin, [
  {
    says: "a Secret of the source's namespace",
    reason: "SecretInSource",
    names: /allowSourceSecrets/,
    put: (pair) =>
      onVolume(
        pair,
        { metadata: { annotations: { [deletionSecretNamespace]: pair.transfer.from.namespace } } },
        { metadata: { annotations: { [deletionSecretNamespace]: "driver-system" } } },
      ),
  },
  {
    says: "a class that is not the volume's",
    reason: "SpecMismatch",
    names: /class/,
    put: (pair) =>
      onVolume(pair, { spec: { storageClassName: "other" } }, { spec: { storageClassName: pair.place.className } }),
  },
  {
    says: "an access mode that the volume has not",
    reason: "SpecMismatch",
    names: /in: access modes\./,
    put: (pair) =>
      onVolume(pair, { spec: { accessModes: ["ReadOnlyMany"] } }, { spec: { accessModes: ["ReadWriteOnce"] } }),
  },
  {
    says: "an attributes class that only the volume has",
    reason: "SpecMismatch",
    names: /in: attributes class\./,
    async put(pair) {
      const gold = { spec: { volumeAttributesClassName: "gold" } };
      await admin.merge(persistentVolumes, keyOf(pair.volume), gold);
      return () => admin.merge(persistentVolumeClaims, keyOf(pair.claim), gold);
    },
  },
  {
    says: "a claim that stays out of it",
    reason: "OptedOut",
    names: /The claim carries transfer\.portway\.dev\/allow/,
    async put({ claim }) {
      const set = (value: string | null) =>
        admin.merge(persistentVolumeClaims, keyOf(claim), { metadata: { annotations: { [allowAnnotation]: value } } });
      await set("false");
      return () => set(null);
    },
  },
  {
    says: "a class that stays out of it",
    reason: "OptedOut",
    names: /The class manual-\w+ carries/,
    async put(pair, t) {
      await aClass(t, pair, { metadata: { name: pair.place.className, annotations: { [allowAnnotation]: "false" } } });
      const back = { metadata: { annotations: { [allowAnnotation]: "true" } } };
      return () => admin.merge(storageClasses, { name: pair.place.className }, back);
    },
  },
]);

/** The binder compares nothing when each names the other. */
test("a claim for a file system on a volume of blocks goes nowhere", async (t) => {
  const place = await newPlace(t, admin);
  const from = { namespace: place.namespace, name: "foo" };
  const source = { csi: { driver: "contract.portway.dev", volumeHandle: randomWord() }, volumeMode: "Block" as const };
  const made = await newVolume(t, admin, place, { claimRef: from, policy: "Delete", source });
  await newClaim(admin, place, { volumeName: made.metadata.name, volumeMode: "Filesystem" }, { name: from.name });
  const claim = await claimThatIs("Bound", admin, from);
  const volume = await volumeThatIs("Bound", admin, made.metadata);
  const transfer = transferOf(from, { namespace: await newNamespace(t, admin), name: "bar" });
  await approve(admin, transfer);
  await ask(admin, transfer);
  match(await untilTold(admin, transfer, "SpecMismatch"), /in: volume mode\./);
  ok(await areUntouched(admin, { claim, volume }));
});

test("a source without a volume is waited for", async (t) => {
  const pair = await boundPair(t, admin);
  const from = { ...pair.transfer.from, name: "later" };
  const transfer = transferOf(from, { ...pair.transfer.to, name: "later" });
  const className = `manual-${randomWord()}`;
  const name = `t-${randomWord()}`;
  await newClaim(admin, { ...from, className }, {}, { name: from.name });
  await approve(admin, transfer);
  await ask(admin, transfer);
  await untilTold(admin, transfer, "SourceNotBound");
  await admin.create(persistentVolumes, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "contract.portway.dev", volumeHandle: name },
      storageClassName: className,
      claimRef: { namespace: from.namespace, name: from.name },
    },
  });
  t.after(() => cluster.kubectl(["delete", "pv", name, "--wait=false"]));
  await untilComplete(admin, transfer);
});

test("while transfers are off nothing begins, and what has begun is finished", async (t) => {
  const [begun, waiting] = [await boundPair(t, admin), await boundPair(t, admin)];
  const hold = await finalizer(begun, "example.dev/hold");
  await approve(admin, begun.transfer);
  await ask(admin, begun.transfer);
  await until("the source is on its way out", async () => {
    const claim = await admin.get(persistentVolumeClaims, keyOf(begun.claim));
    return claim.metadata.deletionTimestamp !== undefined;
  });
  await controller.stopped();
  const off = await transferController(t, cluster, ["--transfers=off"]);
  await off.start();
  await approve(admin, waiting.transfer);
  await ask(admin, waiting.transfer);
  await untilTold(admin, waiting.transfer, "TransfersDisabled");
  ok(await areUntouched(admin, waiting));
  await hold();
  await untilComplete(admin, begun.transfer);
  await off.stopped();
  await controller.start();
  await untilComplete(admin, waiting.transfer);
});
