import { Capability } from "../../../rpc/gen/buckets_pb.js";
import type { Tried } from "../check.ts";

type Untried = (driver: Tried) => string | undefined;

export function announces(capability: Capability): Untried {
  return ({ info }) => (info.capabilities.includes(capability) ? undefined : `there is no ${wordOf(capability)}`);
}

export function doesNotAnnounce(capability: Capability): Untried {
  return ({ info }) => (info.capabilities.includes(capability) ? `there is ${wordOf(capability)}` : undefined);
}

/** Keys of another protocol than S3 cannot be tried here. */
export const asksStore: Untried = ({ info, asksStore }) => {
  if (!info.protocols.includes("s3")) return "only keys of S3 can be tried";
  return asksStore ? undefined : "--without-store";
};

export function all(...needs: readonly Untried[]): Untried {
  return (driver) => needs.map((need) => need(driver)).find((why) => why !== undefined);
}

function wordOf(capability: Capability): string {
  return `CAPABILITY_${Capability[capability]}`;
}
