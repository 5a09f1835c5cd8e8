import type { Acquaintance } from "../../rpc/acquaintance.ts";
import type { BucketDriver } from "../../rpc/gen/buckets_pb.js";
import type { CallOptions, Calls } from "../../rpc/grpc.ts";
import type { DriverFacts } from "./driver-facts.ts";
import type { Step } from "./rules.ts";

/** What the steps need besides the server. */
export interface Tools {
  readonly calls: Calls<typeof BucketDriver>;
  /** What the driver does not answer by then is asked again; a bucket with much in it is emptied over many calls. */
  readonly call: CallOptions;
  readonly facts: DriverFacts;
  readonly acquaintance: Acquaintance;
  /** Where the Secrets with the keys are: our own. */
  readonly home: string;
  readonly called: (step: Step, seconds: number, code: string) => void;
}
