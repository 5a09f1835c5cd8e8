import { pods } from "../../api/gen/core.ts";
import type { KubeObject, OwnerReference, Resource, Stored } from "../../api/object.ts";
import type { Trouble, Troubled } from "../../api/trouble.ts";
import type { Client } from "../../kube/client.ts";
import { discoveryOn } from "../../kube/discovery.ts";

export interface OwnerSettings {
  readonly namespace: string;
  readonly podName: string;
  /** 0 for the pod itself, 1 for its owner, 2 for that one's; less than 0 for nobody. */
  readonly ownerLevel: number;
}

/** Nobody owns what was to have an owner: it stays so until this pod is made in another way. */
export class NoOwner extends Error implements Troubled {
  override readonly name = "NoOwner";
  readonly trouble: Trouble = "refused";
}

/** Whose end is the end of the objects. It is read live, and once: a pod does not change hands. */
export function ownerFinder(client: Client, settings: OwnerSettings): () => Promise<OwnerReference | undefined> {
  let found: Promise<OwnerReference | undefined> | undefined;
  return async () => {
    found ??= ownerOf(client, settings);
    // A failure is not remembered: not knowing is not the same as nobody.
    found.catch(() => {
      found = undefined;
    });
    return await found;
  };
}

async function ownerOf(client: Client, settings: OwnerSettings): Promise<OwnerReference | undefined> {
  const { namespace, podName, ownerLevel } = settings;
  if (ownerLevel < 0) return undefined;
  const pod = await client.get(pods, { namespace, name: podName });
  let owner = referenceTo(pods, pod);
  let object: Stored<KubeObject> = pod;
  for (let level = 1; level <= ownerLevel; level++) {
    // The last one is not read: whoever has the right to read pods knows whose they are.
    if (level > 1) object = await read(client, namespace, owner);
    owner = controllerOf(object, owner);
  }
  return owner;
}

function controllerOf({ metadata }: KubeObject, { kind, name }: OwnerReference): OwnerReference {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined)
    throw new NoOwner(`${kind} ${name} has no controlling owner: choose a lower capacity-ownerref-level`);
  const { apiVersion, kind: ownerKind, name: ownerName, uid } = owner;
  return { apiVersion, kind: ownerKind, name: ownerName, uid, controller: true };
}

async function read(
  client: Client,
  namespace: string,
  { apiVersion, kind, name }: OwnerReference,
): Promise<Stored<KubeObject>> {
  const resource = await discoveryOn(client).find(apiVersion, kind);
  if (resource === undefined) throw new NoOwner(`the server does not serve ${kind} of ${apiVersion}`);
  return await client.get(resource, resource.namespaced ? { namespace, name } : { name });
}

function referenceTo(
  { group, version, kind }: Resource,
  { metadata: { name, uid } }: Stored<KubeObject>,
): OwnerReference {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, name, uid, controller: true };
}
