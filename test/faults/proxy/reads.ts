import { type AskedFor, type Place, placeIn } from "./asked.ts";

export interface ReadRecord extends Place {
  readonly at: number;
  readonly verb: "get" | "list" | "watch";
  readonly query: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** A read that Portway must never send. */
export interface Refusal {
  readonly read: ReadRecord;
  readonly why: string;
}

export function readOf(path: string, userAgent: string): ReadRecord | undefined {
  const asked = placeIn(path);
  if (asked === undefined) return undefined;
  const { place, query } = asked;
  return { ...place, at: performance.now(), verb: verbOf(asked), query: Object.fromEntries(query), userAgent };
}

function verbOf({ place, query }: AskedFor): ReadRecord["verb"] {
  if (["true", "1"].includes(query.get("watch") ?? "")) return "watch";
  return place.name === undefined ? "list" : "get";
}

/** Invariant G4. "0" may be answered from any moment of the past; without a limit one answer can be all there is. */
export function objectionTo({ verb, query }: ReadRecord): string | undefined {
  if (query["resourceVersion"] === "0") return `a ${verb} with resourceVersion=0 may go back in time`;
  return verb === "list" && (query["limit"] ?? "0") === "0" ? "a list without a limit" : undefined;
}
