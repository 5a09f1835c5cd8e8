import { defined } from "../../../src/api/defined.ts";

/** What a request is about, read from its path alone. */
export interface Place {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export interface AskedFor {
  readonly place: Place;
  readonly query: URLSearchParams;
}

/** Undefined for what is no object of the API: discovery, health, metrics. */
export function placeIn(path: string): AskedFor | undefined {
  const { pathname, searchParams: query } = new URL(path, "https://server");
  const [root, ...rest] = pathname.split("/").filter(Boolean).map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : (rest.shift() ?? "");
  // The version is not part of what an object is.
  const place = placeOf(group, rest.slice(1));
  return place === undefined ? undefined : { place, query };
}

/** A namespace is also an object itself: then no other collection follows its name. */
function placeOf(group: string, words: readonly string[]): Place | undefined {
  const [first, second, third] = words;
  if (first === undefined) return undefined;
  const ownSubresources = [undefined, "status", "finalize"];
  const isInside = first === "namespaces" && second !== undefined && !ownSubresources.includes(third);
  const [resource = "", name, subresource] = isInside ? words.slice(2) : words;
  return { group, resource, ...defined({ namespace: isInside ? second : undefined, name, subresource }) };
}
