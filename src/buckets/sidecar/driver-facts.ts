import { Failure } from "../../api/failure.ts";
import { Capability, type GetDriverInfoResponse } from "../../rpc/gen/buckets_pb.js";

/** What a driver says of itself. */
export interface DriverFacts {
  readonly name: string;
  readonly version: string;
  readonly protocols: readonly string[];
  readonly limitsAccess: boolean;
  readonly limitsSize: boolean;
  readonly grantsOnCreate: boolean;
  /** In the words of the registration. */
  readonly capabilities: readonly string[];
}

const driverName = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

export function factsOf({ name, version, protocols, capabilities }: GetDriverInfoResponse): DriverFacts {
  if (!driverName.test(name))
    throw new Failure(
      `The driver calls itself "${name}"`,
      "A driver's name is a lower-case DNS subdomain of at most 63 characters, such as s3.example.com.",
    );
  const has = (one: Capability) => capabilities.includes(one);
  return {
    name,
    version,
    protocols: [...protocols],
    limitsAccess: has(Capability.ACCESS_MODES),
    limitsSize: has(Capability.QUOTA),
    grantsOnCreate: has(Capability.GRANTS_ON_CREATE),
    capabilities: capabilities.map((one) => Capability[one] ?? String(one)),
  };
}
