import { defined } from "../../api/defined.ts";
import { type CSIStorageCapacity, csiStorageCapacities } from "../../api/gen/storage.ts";
import type { OwnerReference } from "../../api/object.ts";
import type { Controller } from "../../rpc/gen/csi_pb.js";
import type { Calls } from "../../rpc/grpc.ts";
import type { Hand } from "../../runtime/hand.ts";
import { quantityOf } from "../size.ts";
import type { Step } from "./rules.ts";
import type { Answer, Published, Seen, Wanted } from "./seen.ts";
import { driverNameLabel, managedBy, managedByLabel } from "./segments.ts";

type Parameters = Readonly<Record<string, string>>;

export interface StepTools {
  readonly driverName: string;
  readonly namespace: string;
  readonly driver: Pick<Calls<typeof Controller>, "getCapacity">;
  /** Takes the keys away that are Kubernetes' own and no business of the driver. */
  readonly parametersOf: (parameters: Parameters) => Parameters;
  readonly now: () => number;
}

/** What a step answers is the driver's last answer: the look after a write must still know it. */
export async function actOnCapacity(step: Step, seen: Seen, hand: Hand, tools: StepTools): Promise<unknown> {
  if (seen.is === "published") return await remove(seen, hand);
  switch (step) {
    case "ask-driver":
      return await ask(seen, tools);
    case "create-object":
      await hand.create(csiStorageCapacities, objectFor(seen, tools));
      return seen.answer;
    case "update-object":
      return await update(seen, hand);
    case "delete-object":
      throw new Error("what is wanted is not deleted");
  }
}

async function ask({ storageClass, segments, wish }: Wanted, tools: StepTools): Promise<Answer> {
  // The time before the call: what changes while the driver thinks is news.
  const at = tools.now();
  const { availableCapacity, maximumVolumeSize } = await tools.driver.getCapacity({
    parameters: tools.parametersOf(storageClass.parameters ?? {}),
    accessibleTopology: { segments },
  });
  const classUID = storageClass.metadata.uid;
  return { available: availableCapacity, ...defined({ maximum: maximumVolumeSize }), classUID, wish, at };
}

function objectFor(seen: Wanted, { driverName, namespace }: StepTools): CSIStorageCapacity {
  const { storageClass, segments, owner } = seen;
  return {
    metadata: {
      generateName: "csisc-",
      namespace,
      labels: { [driverNameLabel]: driverName, [managedByLabel]: managedBy },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    storageClassName: storageClass.metadata.name,
    nodeTopology: { matchLabels: segments },
    ...sizesIn(seen),
  };
}

/** Updated and not patched: that is what the vendors' roles have always needed. */
async function update(seen: Wanted, hand: Hand): Promise<Answer | undefined> {
  if (seen.object === undefined) throw new Error("a step was taken without an object");
  const { capacity: _, maximumVolumeSize: __, ...object } = seen.object;
  const ownerReferences = ownersOf(seen.object.metadata.ownerReferences ?? [], seen.owner);
  await hand.update(csiStorageCapacities, {
    ...object,
    metadata: { ...object.metadata, ...(ownerReferences.length === 0 ? {} : { ownerReferences }) },
    ...sizesIn(seen),
  });
  return seen.answer;
}

/** An object has one controller: whoever was it before us, such as the ReplicaSet of an earlier rollout, is it no more. */
function ownersOf(before: readonly OwnerReference[], owner: OwnerReference | undefined): readonly OwnerReference[] {
  if (owner === undefined) return before;
  return [...before.filter(({ uid, controller }) => controller !== true && uid !== owner.uid), owner];
}

function sizesIn({ answer }: Wanted): Pick<CSIStorageCapacity, "capacity" | "maximumVolumeSize"> {
  if (answer === undefined) throw new Error("a step was taken without an answer");
  const { available, maximum } = answer;
  return {
    capacity: quantityOf(available),
    ...(maximum === undefined ? {} : { maximumVolumeSize: quantityOf(maximum) }),
  };
}

async function remove({ object }: Published, hand: Hand): Promise<void> {
  await hand.delete(csiStorageCapacities, object.metadata);
}
