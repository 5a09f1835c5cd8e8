import type { Acquaintance } from "../rpc/acquaintance.ts";
import type { Controller } from "../rpc/gen/csi_pb.js";
import type { Calls } from "../rpc/grpc.ts";
import type { Changed } from "./capacity/controller.ts";
import type { DriverFacts } from "./driver-facts.ts";
import type { IntentBook } from "./intents/book.ts";
import type { ProvisionMetrics } from "./metrics.ts";
import type { Rights } from "./rights.ts";
import type { ProvisionSettings } from "./settings.ts";
import type { Watches } from "./watches.ts";

/** What the steps of a provisioner work with. */
export interface Tools {
  readonly facts: DriverFacts;
  readonly controller: Calls<typeof Controller>;
  readonly acquaintance: Acquaintance;
  readonly settings: ProvisionSettings;
  readonly watches: Watches;
  readonly book: IntentBook;
  /** Known from the moment the lease is ours. */
  readonly rights: () => Rights;
  readonly metrics: ProvisionMetrics;
  /** Tells whoever runs the process what had better be changed, once. */
  readonly advise: (sentence: string) => void;
  /** A volume has come or gone, or there was no room for it: what is left is another number now. */
  readonly capacityChanged: (changed: Changed) => void;
  /** The name of the volume of a claim with this uid. */
  readonly volumeName: (claimUid: string) => string;
  /** How often the lease had changed hands when it came into ours. */
  readonly term: () => number | undefined;
}
