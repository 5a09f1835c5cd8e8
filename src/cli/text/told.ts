import { isReason, reasons } from "../../api/reasons.ts";

/** What Portway itself says about something, on the object that a person may read. */
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

/** A reason of a newer Portway has no words here; then its message speaks. */
export function whyInWords({ reason, message }: Told): string {
  return isReason(reason) ? reasons[reason].says : message;
}

export function lineOf({ phase, reason, message }: Told): string {
  const why = [reason, message].filter((word) => word !== "").join(": ");
  return `${phase}${why === "" ? "" : ` (${why})`}`;
}
