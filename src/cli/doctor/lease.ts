import { type Lease, leases } from "../../api/gen/coordination.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { ageOf } from "../text/age.ts";
import { type Finding, fault, ok, unseen } from "./finding.ts";

/** Somebody who holds a Lease while at work. */
export interface Holder {
  readonly about: string;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** What stands still without it. */
  readonly without: string;
  readonly start: string;
}

export const transferController: Holder = {
  about: "controller",
  lease: { namespace: "portway-system", name: "portway-transfer" },
  without: "nothing moves",
  start: "Start it: portway controller --domains=transfer, with the account portway-transfer of portway-system.",
};

export async function leaseFindingOf(eyes: Eyes, holder: Holder, now: Date): Promise<Finding> {
  const { namespace, name } = holder.lease;
  const sight = await eyes.find(leases, holder.lease);
  if (sight.is === "unseen") return unseen(holder.about, `the Lease ${namespace}/${name}`);
  return leaseFinding(sight.value, now, holder);
}

/** A lease that nobody renews is held by nobody, whatever name stands in it. */
export function leaseFinding(lease: Lease | undefined, now: Date, holder: Holder = transferController): Finding {
  const { about, without, start } = holder;
  if (lease === undefined) return fault(about, `none has ever run here, so ${without}`, start);
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 15 } = lease.spec ?? {};
  if (holderIdentity === "")
    return fault(about, `none runs, so ${without}: the last one has given its Lease back`, start);
  const silentSeconds = (now.getTime() - Date.parse(renewTime ?? "")) / 1000;
  if (silentSeconds <= leaseDurationSeconds) return ok(about, `${holderIdentity} is at work`);
  const since = ageOf(renewTime, now);
  return fault(
    about,
    `${holderIdentity} holds the Lease and has been silent for ${since}: ${without}`,
    `Look at its log. ${start}`,
  );
}
