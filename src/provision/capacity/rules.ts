import { isSameSize } from "../../api/quantity.ts";
import { rest, step, type Table, wait } from "../../runtime/table.ts";
import type { Published, Wanted } from "./seen.ts";

export type Step = "ask-driver" | "create-object" | "update-object" | "delete-object";

/** What the scheduler is told of a class in a segment. */
export const wanted: Table<Wanted, Step> = [
  ["the driver has not said lately what is free", ({ answer }) => answer === undefined, step("ask-driver")],
  ["nothing tells the scheduler", ({ object }) => object === undefined, step("create-object")],
  ["the object says something else, or is not its owner's", (s) => !isTrue(s), step("update-object")],
  [
    "the object says what the driver says",
    isTrue,
    ({ goodForSeconds }) => wait("Settled", { recheckSeconds: goodForSeconds }),
  ],
];

/** What becomes of an object that says it is ours. */
export const published: Table<Published, Step> = [
  ["it is on its way out", ({ object }) => object.metadata.deletionTimestamp !== undefined, rest],
  ["nothing that is wanted needs it", ({ isNeeded }) => !isNeeded, step("delete-object")],
  ["it is needed", ({ isNeeded }) => isNeeded, rest],
];

function isTrue({ object, answer, owner }: Wanted): boolean {
  if (object === undefined || answer === undefined) return false;
  const { ownerReferences = [] } = object.metadata;
  return (
    isSameSize(object.capacity, String(answer.available)) &&
    isSameSize(object.maximumVolumeSize, answer.maximum?.toString()) &&
    (owner === undefined || ownerReferences.some(({ uid, controller }) => uid === owner.uid && controller === true))
  );
}
