import { glob, readFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import type { WantedKinds } from "./roots.ts";

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

interface Crd {
  readonly kind: "CustomResourceDefinition";
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly CrdVersion[];
  };
}

export interface OwnCrds {
  /** The text of each file. */
  readonly manifests: readonly string[];
  readonly kinds: readonly WantedKinds[];
}

/** The CRDs in the YAML files of a folder; none when there is no such folder. */
export async function ownCrds(folder: string): Promise<OwnCrds> {
  const paths = await Array.fromAsync(glob("*.yaml", { cwd: folder }));
  const texts = await Promise.all(paths.sort().map((path) => readFile(`${folder}/${path}`, "utf8")));
  const manifests = texts.filter((text) => crdsIn(text).length > 0);
  return { manifests, kinds: manifests.flatMap(crdsIn).map(wantedOf) };
}

function crdsIn(text: string): readonly Crd[] {
  return loadAll(text).filter(isCrd);
}

function isCrd(object: unknown): object is Crd {
  return (object as { readonly kind?: unknown } | null)?.kind === "CustomResourceDefinition";
}

function wantedOf({ spec }: Crd): WantedKinds {
  const served = spec.versions.filter(({ served }) => served);
  const versions = [...served.filter(({ storage }) => storage), ...served.filter(({ storage }) => !storage)];
  return { group: spec.group, versions: versions.map(({ name }) => name), kinds: [spec.names.kind] };
}
