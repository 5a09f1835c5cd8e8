import { selfSubjectAccessReviews } from "../../api/gen/authorization.ts";
import { leases } from "../../api/gen/coordination.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";

const verbs = ["get", "create", "update"] as const;

/** Whether the role lets Leases be written. One that is refused for another reason may be taken the next time. */
export async function mayWriteLeases(client: Pick<Client, "create">, namespace: string): Promise<boolean> {
  try {
    const answers = await Promise.all(verbs.map((verb) => isAllowed(client, namespace, verb)));
    return answers.every(Boolean);
  } catch (problem) {
    if (problem instanceof ApiError && problem.code === 403) return false;
    throw problem;
  }
}

async function isAllowed(client: Pick<Client, "create">, namespace: string, verb: string): Promise<boolean> {
  const resourceAttributes = { group: leases.group, resource: leases.plural, namespace, verb };
  const { status } = await client.create(selfSubjectAccessReviews, { metadata: {}, spec: { resourceAttributes } });
  return status?.allowed === true;
}
