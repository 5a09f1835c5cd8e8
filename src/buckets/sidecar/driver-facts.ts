import { Failure } from "../../api/failure.ts";
import { Capability, type GetDriverInfoResponse } from "../../rpc/gen/buckets_pb.js";

/** What a driver says of itself. */
export interface DriverFacts {
  readonly name: string;
  readonly version: string;
  readonly protocols: readonly string[];
  readonly limitsAccess: boolean;
  readonly limitsSize: boolean;
  /** A bucket that still holds objects can go. Without it whoever owns the bucket has to empty it first. */
  readonly purges: boolean;
  readonly grantsOnCreate: boolean;
  /** In the words of the registration. */
  readonly capabilities: readonly string[];
}

const part = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
const driverName = new RegExp(`^(?=.{1,63}$)${part}(\\.${part})*$`);
/** What its registration can hold; the server would refuse it with words that name no driver. */
const longestProtocol = 63;
const mostProtocols = 16;
const longestVersion = 253;

export function factsOf({ name, version, protocols, capabilities }: GetDriverInfoResponse): DriverFacts {
  if (!driverName.test(name))
    throw new Failure(
      `The driver calls itself "${name}"`,
      "A driver's name is a lower-case DNS subdomain of at most 63 characters, such as s3.example.com.",
    );
  const odd = protocols.find((word) => word === "" || word.length > longestProtocol);
  if (odd !== undefined || protocols.length > mostProtocols)
    throw new Failure(
      `The driver ${name} names ${odd === undefined ? `${protocols.length} protocols` : `the protocol "${odd}"`}`,
      `A driver names at most ${mostProtocols} protocols, in words of at most ${longestProtocol} characters, such as s3.`,
    );
  const has = (one: Capability) => capabilities.includes(one);
  return {
    name,
    version: version.slice(0, longestVersion),
    protocols: [...protocols],
    limitsAccess: has(Capability.ACCESS_MODES),
    limitsSize: has(Capability.QUOTA),
    purges: has(Capability.PURGE),
    grantsOnCreate: has(Capability.GRANTS_ON_CREATE),
    capabilities: capabilities.map((one) => Capability[one] ?? String(one)),
  };
}
