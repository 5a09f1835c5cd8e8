import type { CallOptions, Client } from "../../kube/client.ts";

/** The same client, whose every call ends with the command and after the time that a person is willing to wait. */
export function bounded(client: Client, limits: CallOptions): Client {
  return {
    get: (resource, key, options) => client.get(resource, key, { ...limits, ...options }),
    find: (resource, key, options) => client.find(resource, key, { ...limits, ...options }),
    pages: (resource, where, options) => client.pages(resource, where, { ...limits, ...options }),
    create: (resource, object, options) => client.create(resource, object, { ...limits, ...options }),
    update: (resource, object, options) => client.update(resource, object, { ...limits, ...options }),
    patch: (resource, key, operations, options) => client.patch(resource, key, operations, { ...limits, ...options }),
    merge: (resource, key, change, options) => client.merge(resource, key, change, { ...limits, ...options }),
    apply: (resource, object, options) => client.apply(resource, object, { ...limits, ...options }),
    delete: (resource, key, options) => client.delete(resource, key, { ...limits, ...options }),
    watch: (resource, where, query, options) => client.watch(resource, where, query, { ...limits, ...options }),
    raw: (request) => client.raw({ ...limits, ...request }),
    close: () => client.close(),
  };
}
