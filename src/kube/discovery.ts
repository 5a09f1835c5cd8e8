import type { Resource } from "../api/object.ts";
import type { Client } from "./client.ts";
import { ApiError } from "./errors.ts";

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** What the server serves. Asked once a group and version; `forget` after a CRD has come or gone. */
export interface Discovery {
  /** The resources of a group and version; none when the server does not serve it. */
  served(group: string, version: string): Promise<readonly Resource[]>;
  serves(resource: Resource): Promise<boolean>;
  /** The resource behind an apiVersion and kind, as manifests write them. */
  find(apiVersion: string, kind: string): Promise<Resource | undefined>;
  forget(): void;
}

export function discoveryOn(client: Client): Discovery {
  const known = new Map<string, Promise<readonly Resource[]>>();

  async function ask(group: string, version: string): Promise<readonly Resource[]> {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    try {
      const { text } = await client.raw({ method: "GET", path });
      const { resources } = JSON.parse(text) as ResourceList;
      const whole = resources.filter(({ name }) => !name.includes("/"));
      return whole.map(({ name, kind, namespaced }) => ({ group, version, plural: name, kind, namespaced }));
    } catch (problem) {
      if (problem instanceof ApiError && (problem.isNotServed || problem.isNotFound)) return [];
      throw problem;
    }
  }

  const discovery: Discovery = {
    async served(group, version) {
      const key = `${group}/${version}`;
      const asked = known.get(key) ?? ask(group, version);
      known.set(key, asked);
      // A failure is not remembered: not knowing is not the same as not there.
      asked.catch(() => known.delete(key));
      return await asked;
    },
    async serves({ group, version, plural }) {
      return (await discovery.served(group, version)).some((resource) => resource.plural === plural);
    },
    async find(apiVersion, kind) {
      const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
      return (await discovery.served(group ?? "", version ?? "")).find((resource) => resource.kind === kind);
    },
    forget: () => known.clear(),
  };
  return discovery;
}
