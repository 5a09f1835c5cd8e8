import type { TestContext } from "node:test";
import { type PersistentVolumeClaimSpec, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Metadata } from "../../src/api/object.ts";
import { holdFinalizer } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { type Claim, newClaim } from "../fixture/binding.ts";
import { keyOf, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { letGo } from "../transfer/marks.ts";

/** Who makes a claim; the admin lets go of it when the test is over, whatever still holds it. */
interface Making {
  readonly t: TestContext;
  readonly as: Client;
  readonly admin: Client;
  readonly namespace: string;
}

export interface ClaimWish {
  readonly annotations?: Metadata["annotations"];
  readonly finalizers?: readonly string[];
  readonly className?: string;
  readonly spec?: PersistentVolumeClaimSpec;
  readonly name?: string;
}

export async function claimBy({ t, as, admin, namespace }: Making, wish: ClaimWish = {}): Promise<Claim> {
  const { annotations = {}, finalizers = [], className = "none-such", spec = {}, name = `c-${randomWord()}` } = wish;
  const claim = await newClaim(as, { namespace, className }, spec, { name, annotations, finalizers });
  t.after(() => letGo(admin, persistentVolumeClaims, claim));
  return claim;
}

/** Null takes an annotation away. */
export async function annotate(
  as: Client,
  claim: Claim,
  annotations: Readonly<Record<string, string | null>>,
): Promise<Claim> {
  return await as.merge(persistentVolumeClaims, keyOf(claim), { metadata: { annotations } });
}

export function isHeld({ metadata: { finalizers = [] } }: Claim): boolean {
  return finalizers.includes(holdFinalizer);
}

/** As the engine does it once the volume is locked, or the give is withdrawn: it looks again when somebody was quicker. */
export async function letGoOfHold(portway: Client, claim: Claim): Promise<void> {
  await until("the hold is let go", async () => {
    const seen = await portway.get(persistentVolumeClaims, keyOf(claim));
    const change = new Change(seen, { anyVersion: true }).removeFinalizer(holdFinalizer);
    try {
      await portway.patch(persistentVolumeClaims, keyOf(claim), change.operations);
      return true;
    } catch (problem) {
      if (problem instanceof ApiError && problem.trouble === "conflict") return false;
      throw problem;
    }
  });
}
