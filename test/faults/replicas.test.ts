import { handOverADeed } from "../sample/flow.ts";
import { givenBack, handOver } from "../transfer/flows/flows.ts";
import { survivesAChange } from "./change-of-leader.ts";

survivesAChange(handOverADeed, () => ({ namespace: "portway-sample", name: "portway-sample" }));
survivesAChange(handOver, () => ({ namespace: "portway-system", name: "portway-transfer" }));
survivesAChange(givenBack, () => ({ namespace: "portway-system", name: "portway-transfer" }));
