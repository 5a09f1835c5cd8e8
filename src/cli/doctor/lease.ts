import { type Lease, leases } from "../../api/gen/coordination.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { ageOf } from "../text/age.ts";
import { type Finding, fault, ok, unseen } from "./finding.ts";

const about = "controller";
const key = { namespace: "portway-system", name: "portway-transfer" } as const;
const start = "Start it: portway controller --domains=transfer, with the account portway-transfer of portway-system.";

export async function controllerFinding(eyes: Eyes, now: Date): Promise<Finding> {
  const sight = await eyes.find(leases, key);
  if (sight.is === "unseen") return unseen(about, `the Lease ${key.namespace}/${key.name}`);
  return leaseFinding(sight.value, now);
}

/** A lease that nobody renews is held by nobody, whatever name stands in it. */
export function leaseFinding(lease: Lease | undefined, now: Date): Finding {
  if (lease === undefined) return fault(about, "none has ever run here, so nothing moves", start);
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 15 } = lease.spec ?? {};
  if (holderIdentity === "") return fault(about, "none runs: the last one has given its Lease back", start);
  const silentSeconds = (now.getTime() - Date.parse(renewTime ?? "")) / 1000;
  if (silentSeconds <= leaseDurationSeconds) return ok(about, `${holderIdentity} is at work`);
  const since = ageOf(renewTime, now);
  return fault(
    about,
    `${holderIdentity} holds the Lease and has been silent for ${since}: nothing moves`,
    `Look at its log. ${start}`,
  );
}
