import { type ResourceAttributes, selfSubjectAccessReviews } from "../../api/gen/authorization.ts";
import { buckets as bucketKind } from "../../api/gen/cosi.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Client } from "../../kube/client.ts";
import { type Finding, note, ok } from "./finding.ts";

const claims = { group: "", resource: "persistentvolumeclaims" } as const;
const requests = { group: storageTransferRequests.group, resource: storageTransferRequests.plural } as const;
const approvals = { group: storageTransferApprovals.group, resource: storageTransferApprovals.plural } as const;
const buckets = { group: bucketKind.group, resource: bucketKind.plural } as const;

interface Act {
  readonly act: string;
  readonly takes: readonly (ResourceAttributes & { readonly verb: string })[];
  readonly role: string;
}

/** What people do with Portway, and the rights it takes them: RBAC's, and those that the policies ask for besides. */
export const acts: readonly Act[] = [
  { act: "see transfers", takes: [verb("list", requests), verb("list", approvals)], role: "view" },
  {
    act: "request",
    takes: [verb("create", requests), verb("create", claims)],
    role: "admin, or portway-requester and edit",
  },
  {
    act: "approve",
    takes: [verb("create", approvals), verb("delete", claims)],
    role: "admin, or portway-approver and edit",
  },
  { act: "give", takes: [verb("give", claims), verb("patch", claims)], role: "admin, or portway-giver and edit" },
  {
    act: "accept",
    takes: [verb("accept", claims), verb("create", claims)],
    role: "admin, or portway-acceptor and edit",
  },
  {
    act: "make buckets",
    takes: [verb("create", buckets), verb("get", { group: "", resource: "secrets" })],
    role: "admin, or portway-bucket-user and edit",
  },
];

function verb(verb: string, of: { readonly group: string; readonly resource: string }) {
  return { ...of, verb };
}

/** What this person may do in this namespace. Not to be allowed something is nobody's fault. */
export async function rightFindings(client: Client, namespace: string): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const { act, takes, role } of acts) {
    const missing = [];
    for (const right of takes) if (!(await isAllowed(client, { ...right, namespace }))) missing.push(right);
    found.push(rightFinding(act, namespace, missing, role));
  }
  return found;
}

export function rightFinding(
  act: string,
  namespace: string,
  missing: readonly (ResourceAttributes & { readonly verb: string })[],
  role: string,
): Finding {
  const about = `may ${act}`;
  if (missing.length === 0) return ok(about, `yes, in ${namespace}`);
  const words = missing.map(({ verb, resource = "" }) => `${verb} ${resource}`);
  return note(
    about,
    `not in ${namespace}: it takes ${words.join(" and ")}`,
    `Ask for the role ${role} in ${namespace}.`,
  );
}

async function isAllowed(client: Client, resourceAttributes: ResourceAttributes): Promise<boolean> {
  const review = await client.create(selfSubjectAccessReviews, { metadata: {}, spec: { resourceAttributes } });
  return review.status?.allowed === true;
}
