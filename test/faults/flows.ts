import { bucketFlows, bucketTiers } from "../buckets/flows/flows.ts";
import { calledTier, upgradedTier } from "../provision/flows/driver-cases.ts";
import { cloned, deletedMeanwhile, madeAndDeleted, provisionFlows, restored } from "../provision/flows/flows.ts";
import { emptyInsteadOfFilled, longRpcTier, shortRpcTier } from "../provision/flows/rpc-cases.ts";
import { echoes, madeWithSecret } from "../provision/flows/secret.ts";
import { handOverADeed } from "../sample/flow.ts";
import { policyFlows } from "../transfer/flows/by-policy.ts";
import { givenBack, handOver, steppedBack, transferFlows } from "../transfer/flows/flows.ts";
import { giveFlows } from "../transfer/flows/gives.ts";
import { moreTransferFlows } from "../transfer/flows/more.ts";
import { provisionedFlows } from "../transfer/flows/provisioned.ts";
import type { Tier } from "./sweep/cases.ts";
import type { Flow } from "./sweep/flow.ts";

/** A way there and two ways back: what was sent on the one must do no harm when it arrives on the other. */
export const flowsWithLateWrites: readonly Flow[] = [handOver, steppedBack, givenBack];

/** Every way through every feature that `make faults` breaks. */
export const flows: readonly Flow[] = [
  handOverADeed,
  ...transferFlows,
  ...policyFlows,
  ...moreTransferFlows,
  ...provisionedFlows,
  ...giveFlows,
  ...provisionFlows,
  madeWithSecret,
  ...bucketFlows,
];

/** What else can go wrong where a driver is called. */
export const driverTiers: ReadonlyMap<Flow, { readonly short?: Tier; readonly long: readonly Tier[] }> = new Map([
  [
    madeAndDeleted,
    {
      short: shortRpcTier("CreateVolume", "DeleteVolume"),
      long: [longRpcTier("CreateVolume", "DeleteVolume"), calledTier, upgradedTier],
    },
  ],
  [
    deletedMeanwhile,
    {
      short: shortRpcTier("CreateVolume", "DeleteVolume"),
      long: [longRpcTier("CreateVolume", "DeleteVolume")],
    },
  ],
  [cloned, { long: [longRpcTier("CreateVolume"), emptyInsteadOfFilled] }],
  [restored, { long: [longRpcTier("CreateVolume"), emptyInsteadOfFilled] }],
  [madeWithSecret, { long: [echoes("CreateVolume"), echoes("DeleteVolume")] }],
  ...bucketTiers,
]);
