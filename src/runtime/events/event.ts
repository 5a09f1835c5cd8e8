import { randomUUID } from "node:crypto";
import { defined } from "../../api/defined.ts";
import type { Event } from "../../api/gen/core.ts";
import { harmlessText } from "../log/redact.ts";
import type { About, Known, Telling } from "./correlate.ts";

const longestMessageBytes = 1024;
const longestName = 253;
const isEventName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** `<object>.<hex>`, as client-go names them. Not every object's name may be part of an Event's. */
export function eventName({ name, kind }: About): string {
  // Node keeps randomness ready for these, and asks for it anew for every few bytes of another kind.
  const end = randomUUID().replaceAll("-", "").slice(-16);
  const begin = name.slice(0, longestName - end.length - 1).replace(/[-.]+$/, "");
  return `${isEventName.test(begin) ? begin : kind.toLowerCase()}.${end}`;
}

/** The server wants an Event where its object is, and those about the cluster in this one. */
export function namespaceOf({ namespace }: About): string {
  return namespace ?? "default";
}

export function eventOf({ about, type, reason, message, action }: Telling, known: Known, source: Source): Event {
  const { apiVersion, kind, namespace, name, uid } = about;
  return {
    metadata: { name: known.name, namespace: namespaceOf(about) },
    involvedObject: { apiVersion, kind, name, uid, ...defined({ namespace }) },
    type,
    reason,
    message: shortened(harmlessText(message)),
    ...defined({ action }),
    source: { component: source.component, host: source.host },
    reportingComponent: source.component,
    reportingInstance: source.host,
    firstTimestamp: wholeSeconds(known.first),
    ...toldAgain(known),
  };
}

export interface Source {
  readonly component: string;
  readonly host: string;
}

/** What changes when it is told again; absolute figures, so that a patch that is sent twice does no harm. */
export function toldAgain({ count, last }: Known): { readonly count: number; readonly lastTimestamp: string } {
  return { count, lastTimestamp: wholeSeconds(last) };
}

function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function shortened(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= longestMessageBytes) return message;
  // A character that was cut in two is left out.
  return `${bytes
    .subarray(0, longestMessageBytes - 3)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}
