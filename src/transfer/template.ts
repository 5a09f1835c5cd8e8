import type { StatefulSet } from "../api/gen/apps.ts";
import type { KubeObject, Stored } from "../api/object.ts";

/** A StatefulSet counts its claims. */
const number = /-\d+$/;

export function isNumbered(claim: string): boolean {
  return number.test(claim);
}

/** Whether a template of this set makes claims of this name: they are called template-set-number. */
export function makes({ metadata, spec }: Stored<StatefulSet>, claim: string): boolean {
  const stem = claim.replace(number, "");
  const templates = spec?.volumeClaimTemplates ?? [];
  return isNumbered(claim) && templates.some((one) => `${one.metadata.name ?? ""}-${metadata.name}` === stem);
}

/** Whoever owns a claim makes another one when it is gone. */
export function controllerOf({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${owner.kind} ${owner.name}`;
}
