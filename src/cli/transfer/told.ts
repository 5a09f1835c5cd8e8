import { nothingYet, type Told } from "../text/told.ts";
import type { Approval, Request } from "./handshake.ts";

export function toldOn({ status }: Pick<Request | Approval, "status">): Told {
  if (status?.phase === undefined) return nothingYet;
  const { reason = "", message = "" } = status.conditions?.find(({ type }) => type === "Complete") ?? {};
  return { phase: status.phase, reason, message, hasEnded: status.completionTime !== undefined };
}
