import { type ResourceAttributes, selfSubjectAccessReviews } from "../api/gen/authorization.ts";
import { volumeSnapshots } from "../api/gen/snapshot.ts";
import { volumeAttributesClasses } from "../api/gen/storage.ts";
import type { Client } from "../kube/client.ts";
import type { Log } from "../runtime/log.ts";

/** What a vendor's role allows beyond what every version of external-provisioner needs. */
export interface Rights {
  readonly protectSnapshots: boolean;
  readonly readAttributes: boolean;
}

const extras: readonly (readonly [right: keyof Rights, attributes: ResourceAttributes, without: string])[] = [
  [
    "protectSnapshots",
    { group: volumeSnapshots.group, resource: volumeSnapshots.plural, verb: "update" },
    "snapshots are not protected while they are restored: the role has no update of volumesnapshots",
  ],
  [
    "readAttributes",
    { group: volumeAttributesClasses.group, resource: volumeAttributesClasses.plural, verb: "get" },
    "claims with a VolumeAttributesClass are refused: the role has no get of volumeattributesclasses",
  ],
];

/** Asked once, and said once: a role that is widened counts from the next start on. */
export async function rightsOf(client: Pick<Client, "create">, log: Log): Promise<Rights> {
  const found = await Promise.all(
    extras.map(async ([right, resourceAttributes, without]) => {
      const { status } = await client.create(selfSubjectAccessReviews, {
        metadata: {},
        spec: { resourceAttributes },
      });
      const allowed = status?.allowed === true;
      if (!allowed) log.info(without);
      return [right, allowed] as const;
    }),
  );
  return Object.fromEntries(found) as Readonly<Record<keyof Rights, boolean>>;
}
