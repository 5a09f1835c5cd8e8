import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import type { User } from "./kubeconfig.ts";
import type { Impersonation } from "./target.ts";

/** Whom the user of the kubeconfig acts as. */
export function impersonationOf({ place, as }: User): Impersonation | undefined {
  const groups = as.groups.length === 0 ? undefined : as.groups;
  const extra = Object.keys(as.extra).length === 0 ? undefined : as.extra;
  const more = defined({ groups, uid: as.uid, extra });
  if (as.user !== undefined) return { user: as.user, ...more };
  if (Object.keys(more).length === 0) return undefined;
  throw new Failure(`${place} impersonates groups, a uid or extras without a user`, 'Add "as" with the user.');
}
