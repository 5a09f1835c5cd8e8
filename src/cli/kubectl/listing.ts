import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { Client, Where } from "../../kube/client.ts";

export async function listed<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  where: Where = {},
): Promise<readonly Stored<T>[]> {
  const all: Stored<T>[] = [];
  for await (const { items } of client.pages(resource, where)) all.push(...items);
  return all;
}
