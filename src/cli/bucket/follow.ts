import { Failure } from "../../api/failure.ts";
import { buckets } from "../../api/gen/cosi.ts";
import { isReason, reasons } from "../../api/reasons.ts";
import { follow } from "../kubectl/follow.ts";
import { inWords } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { lineOf } from "../text/told.ts";
import { isLeaving, type Order, toldOn } from "./told.ts";

/** Tells every step until the keys are there; what will not pass by itself ends it. */
export async function followToKeys(session: Session, object: Order, timeoutSeconds: number): Promise<Order> {
  const place = inWords(object.metadata);
  return await follow(session, {
    resource: buckets,
    object,
    timeoutSeconds,
    line,
    ends(now) {
      if (now === undefined)
        return new Failure(`the Bucket ${place} was deleted while we waited`, "Create it again, or use another one.");
      const told = toldOn(now);
      if (told.phase === "Bound") return "well";
      if (told.phase !== "Failed") return undefined;
      const next = isReason(told.reason) ? `${reasons[told.reason].next} ` : "";
      return new Failure(
        `${place} has failed: ${lineOf(told)}`,
        `${next}It is still tried now and then; ${explainLine(now)} says more.`,
      );
    },
    late: (last) => late(`${place} is not bound`, timeoutSeconds, last ?? object),
  });
}

/** Tells every step until nothing is left of it. */
export async function followToEnd(session: Session, object: Order, timeoutSeconds: number): Promise<void> {
  await follow(session, {
    resource: buckets,
    object,
    timeoutSeconds,
    line: (now) => (isLeaving(now) ? line(now) : undefined),
    ends: (now) => (now === undefined ? "well" : undefined),
    late: (last) => late(`${inWords(object.metadata)} is not gone`, timeoutSeconds, last ?? object),
  });
}

function line(now: Order): string | undefined {
  const told = toldOn(now);
  return told.phase === "New" ? undefined : `${inWords(now.metadata)}: ${lineOf(told)}`;
}

function late(what: string, seconds: number, last: Order): Failure {
  const told = toldOn(last);
  const state = told.phase === "New" ? "Portway has not said anything about it" : lineOf(told);
  return new Failure(`${what} after ${seconds} s: ${state}`, `It goes on by itself; ${explainLine(last)} says more.`);
}

export function explainLine({ metadata: { name, namespace = "" } }: Order): string {
  return `kubectl portway explain bucket/${name} -n ${namespace}`;
}
