import { equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import { storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { allowAnnotation } from "../../src/api/transfer/names.ts";
import { keyOf } from "../fixture/client.ts";
import { approve, ask, untilComplete, untilTold } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { neighbours } from "./giving.ts";
import { areUntouched, transferGround } from "./ground.ts";

/* Who keeps gives from beginning: the cluster, a class, the claim's owner, and a request that came first. */
const { cluster, admin, controller } = await transferGround();

test("while transfers are off no give begins, both sides are told, what has begun is finished, and the rest goes on later", async (t) => {
  const [begun, waiting] = [await neighbours(t, cluster, admin), await neighbours(t, cluster, admin)];
  await begun.hands.gives();
  await begun.hands.untilLocked();
  await controller.stopped();
  const off = await transferController(t, cluster, ["--transfers=off"]);
  await off.start();
  await waiting.hands.gives();
  await waiting.hands.accepts();
  match(await waiting.hands.untilTold("TransfersDisabled"), /switched off on this cluster/);
  match(await waiting.hands.untilTold("TransfersDisabled", waiting.transfer.to), /switched off on this cluster/);
  ok(await areUntouched(admin, waiting));
  await waiting.hands.deletes();
  await begun.hands.deletes();
  await begun.hands.accepts();
  await begun.hands.arrived();
  const kept = await admin.get(persistentVolumeClaims, waiting.transfer.from);
  equal(kept.status?.phase, "Bound", "it is held until somebody may lock its volume");
  await off.stopped();
  await controller.start();
  await waiting.hands.arrived();
  equal((await waiting.hands.conditionOn(waiting.transfer.to))?.reason, "Working");
});

test("a class that stays out of transfers keeps its claims, and the give goes on when it does not any more", async (t) => {
  const { hands, place, ...pair } = await neighbours(t, cluster, admin);
  const { metadata } = await admin.create(storageClasses, {
    metadata: { name: place.className, annotations: { [allowAnnotation]: "false" } },
    provisioner: "none.portway.dev",
  });
  t.after(() => admin.delete(storageClasses, { name: place.className, uid: metadata.uid }));
  await hands.gives();
  match(await hands.untilTold("OptedOut"), new RegExp(`The class ${place.className} carries`));
  ok(await areUntouched(admin, pair));
  await admin.merge(
    storageClasses,
    { name: place.className },
    { metadata: { annotations: { [allowAnnotation]: null } } },
  );
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
});

test("a claim that its owner keeps out stays, also when it was given and withdrawn before, and is told so once", async (t) => {
  const { hands, transfer } = await neighbours(t, cluster, admin);
  await hands.gives();
  await hands.untilLocked();
  await hands.withdraws();
  await hands.untilBack();
  await hands.annotate({ [allowAnnotation]: "false" });
  await hands.gives();
  match(await hands.untilTold("OptedOut"), /The claim carries/);
  const { resourceVersion } = (await admin.get(persistentVolumeClaims, transfer.from)).metadata;
  await neighbours(t, cluster, admin);
  equal((await admin.get(persistentVolumeClaims, transfer.from)).metadata.resourceVersion, resourceVersion);
  await hands.annotate({ [allowAnnotation]: null });
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
});

test("a request for a claim that is given already waits, and goes on when the give is withdrawn", async (t) => {
  const { hands, transfer } = await neighbours(t, cluster, admin);
  await hands.gives();
  await hands.untilLocked();
  await ask(admin, transfer);
  await approve(admin, transfer);
  await untilTold(admin, transfer, "SourceBusy");
  await hands.withdraws();
  await untilComplete(admin, transfer);
});

test("a give of a claim that is on its way by request waits, and the request is served", async (t) => {
  const { hands, transfer, alice } = await neighbours(t, cluster, admin);
  await alice.merge(persistentVolumeClaims, transfer.from, { metadata: { finalizers: ["example.dev/back-up"] } });
  await ask(admin, transfer);
  await approve(admin, transfer);
  await untilTold(admin, transfer, "SourceLeaving");
  await hands.gives();
  await hands.untilTold("SourceBusy");
  await hands.withdraws();
  await alice.merge(persistentVolumeClaims, transfer.from, { metadata: { finalizers: null } });
  await untilComplete(admin, transfer);
  const request = { namespace: transfer.to.namespace, name: transfer.request };
  await admin.delete(storageTransferRequests, keyOf(await admin.get(storageTransferRequests, request)));
});
