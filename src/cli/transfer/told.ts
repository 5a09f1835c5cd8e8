import { type Reason, reasons } from "../../api/reasons.ts";
import type { Approval, Request } from "./handshake.ts";

/** What Portway itself says about a transfer, on the object of either side. */
export interface Told {
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
  readonly hasEnded: boolean;
}

/** Portway has not looked at it yet, or does not run. */
export const nothingYet: Told = {
  phase: "New",
  reason: "",
  message: "Portway has not said anything about it yet.",
  hasEnded: false,
};

export function toldOn({ status }: Pick<Request | Approval, "status">): Told {
  if (status?.phase === undefined) return nothingYet;
  const { reason = "", message = "" } = status.conditions?.find(({ type }) => type === "Complete") ?? {};
  return { phase: status.phase, reason, message, hasEnded: status.completionTime !== undefined };
}

export function isReason(word: string): word is Reason {
  return Object.hasOwn(reasons, word);
}

/** A reason of a newer Portway has no words here; then its message speaks. */
export function whyInWords({ reason, message }: Told): string {
  return isReason(reason) ? reasons[reason].says : message;
}

export function lineOf({ phase, reason, message }: Told): string {
  const why = [reason, message].filter((word) => word !== "").join(": ");
  return `${phase}${why === "" ? "" : ` (${why})`}`;
}
