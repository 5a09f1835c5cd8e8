import type { KubeObject, Stored } from "../api/object.ts";
import type { Query } from "./paths.ts";

export interface Page<T extends KubeObject> {
  readonly items: readonly Stored<T>[];
  readonly resourceVersion: string;
}

export interface ListAnswer<T extends KubeObject> {
  readonly items?: readonly Stored<T>[] | null;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

/** Whether this is a list at all. Taken for one, anything else would mean that every object is gone. */
export function isList(answer: unknown): boolean {
  const { items, metadata } = (answer ?? {}) as Partial<ListAnswer<KubeObject>>;
  const hasItems = items === null || Array.isArray(items);
  return hasItems && typeof metadata?.resourceVersion === "string" && metadata.resourceVersion !== "";
}

/** As client-go asks: big enough to be quick, small enough not to block the loop while it is parsed. */
const defaultPageSize = 500;

/**
 * The resourceVersion is left out on purpose: the server then answers with what is stored now, whereas "0" may go back
 * in time. A page of an expired list is an error (410), so a list is never half old and half new.
 */
export async function* pagesOf<T extends KubeObject>(
  pageSize = defaultPageSize,
  ask: (query: Query) => Promise<ListAnswer<T>>,
): AsyncGenerator<Page<T>> {
  let token: string | undefined;
  do {
    const answer = await ask({ limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) });
    yield { items: answer.items ?? [], resourceVersion: answer.metadata.resourceVersion };
    token = answer.metadata.continue;
  } while (token !== undefined && token !== "");
}
