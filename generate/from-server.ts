import { join } from "node:path";
import type { Handle } from "../src/dev/cluster/handle.ts";
import { packageRoot } from "../src/dev/paths.ts";
import { documentsOf } from "./documents.ts";
import { formatted } from "./format.ts";
import { generate } from "./generate.ts";
import { ownCrds } from "./own-crds.ts";
import { wanted } from "./wanted.ts";

/** Where the output is committed. */
export const output: string = join(packageRoot, "src", "api", "gen");

/** The add-ons that bring the wanted kinds which Kubernetes itself does not have. */
export const addons: readonly string[] = ["snapshotter,gateway-crds"];

/** Every file of the output as this server describes its kinds, after it was given our CRDs. */
export async function filesFrom(handle: Handle): Promise<ReadonlyMap<string, string>> {
  const own = await ownCrds(join(packageRoot, "deploy", "crds"));
  for (const manifest of own.manifests) await handle.apply(manifest);
  const kinds = [...wanted.kinds, ...own.kinds];
  const files = generate(await documentsOf(handle, kinds), { ...wanted, kinds });
  return new Map(
    await Promise.all(
      [...files].map(async ([name, text]) => [name, await formatted(join(output, name), text)] as const),
    ),
  );
}
