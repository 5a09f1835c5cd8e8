import type { KubeObject, ObjectKey, Resource, Stored } from "../../api/object.ts";
import type { Client, Where } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import { listed } from "./listing.ts";

/** Something that this person may not see, and the server's words for it. */
export interface Unseen {
  readonly what: string;
  readonly why: string;
}

/** "Not there" and "not for you" are different answers, and nobody may take one for the other. */
export type Sight<T> = { readonly is: "seen"; readonly value: T } | { readonly is: "unseen" };

/** Looks with the rights of the person, and remembers what they hide. */
export interface Eyes {
  find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Sight<Stored<T> | undefined>>;
  list<T extends KubeObject>(resource: Resource<T>, where?: Where): Promise<Sight<readonly Stored<T>[]>>;
  readonly unseen: readonly Unseen[];
}

export function eyesOf(client: Client): Eyes {
  const unseen = new Map<string, Unseen>();

  async function look<T>(what: string, read: () => Promise<T>): Promise<Sight<T>> {
    try {
      return { is: "seen", value: await read() };
    } catch (problem) {
      if (!(problem instanceof ApiError) || (problem.code !== 403 && !problem.isNotServed)) throw problem;
      unseen.set(what, {
        what,
        why: problem.isNotServed ? "the cluster does not serve it" : "this takes a right you do not have",
      });
      return { is: "unseen" };
    }
  }

  return {
    find: (resource, key) => look(objectInWords(resource, key), () => client.find(resource, key)),
    list: (resource, where = {}) => look(listInWords(resource, where), () => listed(client, resource, where)),
    get unseen() {
      return [...unseen.values()];
    },
  };
}

function objectInWords({ plural }: Resource, { namespace, name }: ObjectKey): string {
  return `${plural}/${name}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

function listInWords({ plural }: Resource, { namespace }: Where): string {
  return `all ${plural}${namespace === undefined ? " of the cluster" : ` in ${namespace}`}`;
}

export function valueOf<T>(sight: Sight<T>): T | undefined {
  return sight.is === "seen" ? sight.value : undefined;
}
