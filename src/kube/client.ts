import { defined } from "../api/defined.ts";
import { apiVersionOf, type KubeObject, type ObjectKey, type Resource, type Stored } from "../api/object.ts";
import { callsOn, unexpected } from "./calls.ts";
import { ApiError, type Asked } from "./errors.ts";
import type { Operation } from "./json-patch.ts";
import { isList, type ListAnswer, type Page, pagesOf } from "./paging.ts";
import { pathOf, type Query } from "./paths.ts";
import { repeatedPatches } from "./repeated-patches.ts";
import type { HttpResponse } from "./transport/http.ts";
import type { Answer, Exchange, Transport } from "./transport/transport.ts";

export interface Where {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
  /** The server does everything but store it. */
  readonly dryRun?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly gracePeriodSeconds?: number;
}

/** Everything Portway says to an API server. Whole collections are never deleted, so there is no verb for it. */
export interface Client {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<Stored<T>>;
  /** Like `get`, and undefined when it is not there. A refusal is still an error: "not there" is never a guess. */
  find<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<T> | undefined>;
  /** All objects, page by page; every page is of the same moment. */
  pages<T extends KubeObject>(
    resource: Resource<T>,
    where?: Where,
    options?: CallOptions & { readonly pageSize?: number },
  ): AsyncIterable<Page<T>>;
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Stored<T>>;
  /** Writes what was read, changed: refused by the server when somebody else has changed it since. */
  update<T extends KubeObject>(resource: Resource<T>, object: Stored<T>, options?: WriteOptions): Promise<Stored<T>>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    operations: readonly Operation[],
    options?: WriteOptions,
  ): Promise<Stored<T>>;
  merge<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    change: object,
    options?: WriteOptions,
  ): Promise<Stored<T>>;
  apply<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions & { readonly force?: boolean },
  ): Promise<Stored<T>>;
  /**
   * Only ever the object with this uid: a new one under the same name is not touched. Answers the object when it is
   * still there, on its way out, and undefined when it is gone.
   */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey & { readonly uid: string },
    options?: DeleteOptions,
  ): Promise<Stored<T> | undefined>;
  watch(resource: Resource, where: Where, query: Query, options?: CallOptions): Promise<HttpResponse>;
  /** For what has no verb of its own: discovery, reviews, tokens. Throws like the others. */
  raw(request: Exchange): Promise<Answer>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly transport: Transport;
  /** Whose fields the server says these are. */
  readonly fieldManager: string;
}

const json = "application/json";
const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export function clientOn({ transport, fieldManager }: ClientOptions): Client {
  const calls = callsOn(transport);
  const repeated = repeatedPatches();

  const writeQuery = ({ dryRun, force }: { readonly dryRun?: boolean; readonly force?: boolean }): Query =>
    defined({ fieldManager, dryRun: dryRun === true ? "All" : undefined, force: force === true ? "true" : undefined });

  type PatchOptions = WriteOptions & { readonly force?: boolean };

  async function patchAs<T extends KubeObject>(
    kind: keyof typeof patchTypes,
    resource: Resource<T>,
    key: ObjectKey,
    content: unknown,
    options: PatchOptions,
  ): Promise<Stored<T>> {
    const path = pathOf(resource, key, options.subresource, writeQuery(options));
    const asked = askedOf(kind === "apply" ? "apply" : "patch", resource, key, { writes: true, patch: kind });
    const request = written("PATCH", path, patchTypes[kind], content, options);
    const send = () => calls.object<Stored<T>>(asked, request);
    return kind === "json" ? await repeated.guard(path, String(request.body), send) : await send();
  }

  const client: Client = {
    async get(resource, key, options = {}) {
      return await calls.object(askedOf("get", resource, key), {
        method: "GET",
        path: pathOf(resource, key),
        ...callOf(options),
      });
    },
    async find(resource, key, options) {
      try {
        return await client.get(resource, key, options);
      } catch (problem) {
        if (problem instanceof ApiError && problem.isNotFound) return undefined;
        throw problem;
      }
    },
    pages(resource, where = {}, options = {}) {
      const asked = askedOf("list", resource, where);
      return pagesOf(options.pageSize, async (query) => {
        const path = pathOf(resource, where, undefined, { ...selectors(where), ...query });
        const list = await calls.object<ListAnswer<KubeObject>>(asked, { method: "GET", path, ...callOf(options) });
        if (!isList(list))
          throw unexpected(asked, 200, "the answer is not a list; check the server's address and any proxy");
        return list as ListAnswer<never>;
      });
    },
    async create(resource, content, options = {}) {
      const { namespace, name } = content.metadata;
      const path = pathOf(resource, defined({ namespace }), undefined, writeQuery(options));
      const asked = askedOf("create", resource, defined({ namespace, name }), { writes: true });
      return await calls.object(asked, written("POST", path, json, ofKind(resource, content), options));
    },
    async update(resource, content, options = {}) {
      const path = pathOf(resource, content.metadata, options.subresource, writeQuery(options));
      const asked = askedOf("update", resource, content.metadata, { writes: true });
      return await calls.object(asked, written("PUT", path, json, ofKind(resource, content), options));
    },
    patch: (resource, key, operations, options = {}) => patchAs("json", resource, key, operations, options),
    merge: (resource, key, change, options = {}) => patchAs("merge", resource, key, change, options),
    apply(resource, content, options = {}) {
      const { namespace, name = "" } = content.metadata;
      return patchAs("apply", resource, { name, ...defined({ namespace }) }, content, options);
    },
    async delete<T extends KubeObject>(
      resource: Resource<T>,
      key: ObjectKey & { uid: string },
      options: DeleteOptions = {},
    ) {
      const { resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options;
      const content = {
        kind: "DeleteOptions",
        apiVersion: "v1",
        preconditions: defined({ uid: key.uid, resourceVersion }),
        ...defined({ propagationPolicy, gracePeriodSeconds, dryRun: dryRun === true ? ["All"] : undefined }),
      };
      const asked = askedOf("delete", resource, key, { writes: true });
      // Only an answer of the API server itself means that it is done.
      const answer = await calls.object<Stored<T>>(
        asked,
        written("DELETE", pathOf(resource, key), json, content, options),
      );
      return answer.kind !== "Status" && isHeldBack(answer) ? answer : undefined;
    },
    async watch(resource, where, query, options = {}) {
      const path = pathOf(resource, where, undefined, { ...selectors(where), ...query, watch: "true" });
      return await calls.stream(askedOf("watch", resource, where), { method: "GET", path, ...callOf(options) });
    },
    raw(request) {
      const asked = { verb: request.method.toLowerCase(), resource: request.path, writes: request.method !== "GET" };
      return calls.answer(asked, request);
    },
    close: () => transport.close(),
  };
  return client;
}

/** The server answers a Status or the last version of an object that is gone; one that is on its way out has a holder. */
function isHeldBack({ metadata = {} }: Partial<KubeObject>): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length + deletionGracePeriodSeconds > 0;
}

/** Whether the write that was answered so has removed the object: it was on its way out, and what held it is taken off. */
export function isRemoved(answer: KubeObject): boolean {
  return answer.metadata.deletionTimestamp !== undefined && !isHeldBack(answer);
}

/** The server takes its own kinds without their name, and refuses everybody else's. */
function ofKind<T extends KubeObject>(resource: Resource, content: T): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...content };
}

function written(
  method: Exchange["method"],
  path: string,
  contentType: string,
  content: unknown,
  options: CallOptions,
): Exchange {
  const body = Buffer.from(JSON.stringify(content));
  // Without its length Node leaves the body of a DELETE out over HTTP/1.1, and the precondition with it.
  const headers = { "content-type": contentType, "content-length": String(body.length) };
  return { method, path, headers, body, ...callOf(options) };
}

function callOf({ signal, timeoutSeconds }: CallOptions): CallOptions {
  return defined({ signal, timeoutSeconds });
}

function selectors({ labelSelector, fieldSelector }: Where): Query {
  return defined({ labelSelector, fieldSelector });
}

interface Place {
  readonly namespace?: string;
  readonly name?: string;
}

function askedOf(
  verb: string,
  resource: Resource,
  { namespace, name }: Place,
  rest: Partial<Pick<Asked, "writes" | "patch">> = {},
): Asked {
  return { verb, resource: resource.plural, writes: false, ...defined({ namespace, name }), ...rest };
}
