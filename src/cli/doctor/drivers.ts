import { type COSIRegistration, cosiRegistrations } from "../../api/gen/cosi.ts";
import type { Stored } from "../../api/object.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { type Finding, note, unseen } from "./finding.ts";
import { type Holder, leaseFindingOf } from "./lease.ts";

const about = "bucket drivers";

/** A driver that is killed leaves its registration behind; only its Lease grows old. */
export async function driverFindings(eyes: Eyes, now: Date): Promise<readonly Finding[]> {
  const all = await eyes.list(cosiRegistrations);
  if (all.is === "unseen") return [unseen(about, "which drivers are registered, and whether they live")];
  if (all.value.length === 0)
    return [note(about, "none is registered: no new bucket is made", "Install one, if people are to have buckets.")];
  return await Promise.all(all.value.map((driver) => leaseFindingOf(eyes, holderOf(driver), now)));
}

function holderOf({ spec }: Stored<COSIRegistration>): Holder {
  const { driverName, namespace, leaseName } = spec;
  return {
    about: `driver ${driverName}`,
    lease: { namespace, name: leaseName },
    without: "its buckets are neither made nor released",
    start: `Start its sidecar in ${namespace}; if the driver is gone for good: kubectl delete cosiregistration ${driverName}.`,
  };
}
