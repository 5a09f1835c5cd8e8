import type { CommandGroup } from "../command.ts";
import { policyCreate } from "./policy-create.ts";
import { policyList } from "./policy-list.ts";

export const policy: CommandGroup = {
  name: "policy",
  says: "approve transfers beforehand: by namespace, claim, size, number and date",
  commands: [policyCreate, policyList],
};
