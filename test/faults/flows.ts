import { handOverADeed } from "../sample/flow.ts";
import { policyFlows } from "../transfer/flows/by-policy.ts";
import { givenBack, handOver, steppedBack, transferFlows } from "../transfer/flows/flows.ts";
import { giveFlows } from "../transfer/flows/gives.ts";
import { moreTransferFlows } from "../transfer/flows/more.ts";
import { provisionedFlows } from "../transfer/flows/provisioned.ts";
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
];
