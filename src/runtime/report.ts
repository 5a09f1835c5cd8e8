import { isDeepStrictEqual } from "node:util";
import type { Condition } from "../api/gen/meta.ts";
import { apiVersionOf, type KubeObject, type Resource, type Stored } from "../api/object.ts";
import { Change } from "../kube/json-patch.ts";
import type { Hand } from "./hand.ts";

/** What is told in an Event. */
export interface Note {
  readonly resource: Resource;
  readonly object: Stored<KubeObject>;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

interface Reported {
  readonly resource: Resource;
  /** As it was seen; the write is refused if it has changed since. */
  readonly object: Stored<KubeObject & { readonly status?: object }>;
  /** Told only when the status has really changed, so that looking again says nothing again. */
  readonly note?: Pick<Note, "type" | "reason" | "message">;
}

/** Nothing but words, where we may not write a status. */
export type Saying = Omit<Reported, "note"> & { readonly says: NonNullable<Reported["note"]> };

/** What is stored. */
export type Written = (Reported & { readonly status: object }) | (Reported & { readonly condition: Condition });

/** What people are to be told about one object: its whole status, one condition among those of others, or an Event alone. */
export type Report = Written | Saying;

export function isNews(report: Written): boolean {
  const { object } = report;
  if ("status" in report) return !isDeepStrictEqual(report.status, object.status ?? {});
  const { conditions = [] } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  const before = conditions.find(({ type }) => type === report.condition.type);
  return before === undefined || !isSameCondition(before, report.condition);
}

/** When it was first true does not make it another one, and the server may have added members of its own. */
function isSameCondition(before: Condition, wished: Condition): boolean {
  const found = new Map<string, unknown>(Object.entries(before));
  const members = Object.entries(wished).filter(([member]) => member !== "lastTransitionTime");
  return members.every(([member, value]) => isDeepStrictEqual(found.get(member), value));
}

/** One write. A condition beside those of others goes by server-side apply: a patch of the list would undo theirs. */
export async function writeReport(report: Written, hand: Hand): Promise<void> {
  const { resource, object, note } = report;
  const { name, namespace, uid } = object.metadata;
  if ("status" in report) {
    const change = new Change(object).set(["status"], report.status);
    await hand.patch(resource, object.metadata, change.operations, { subresource: "status" });
  } else {
    const metadata = { name, uid, ...(namespace === undefined ? {} : { namespace }) };
    const content = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata,
      status: { conditions: [report.condition] },
    };
    await hand.apply(resource, content, { subresource: "status" });
  }
  if (note !== undefined) hand.tell({ ...note, resource, object });
}
