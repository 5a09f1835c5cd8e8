import type { Place } from "./reading.ts";

/** An object without a name is called after the way to it: `VolumeSnapshotSpecSource`. */
export function propertyPlace(at: Place, property: string): Place {
  return { ...at, path: `${at.path}.${property}`, name: `${at.name}${capitalised(property).replaceAll(/\W/g, "")}` };
}

/** What a list or a map called `sources` holds is called a source. */
export function singularPlace(at: Place, step: "[]" | "{}"): Place {
  const name = at.name
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  return { ...at, path: `${at.path}${step}`, name };
}

/** `CSIStorageCapacity`, whose plural is `csistoragecapacities`, becomes `csiStorageCapacities`. */
export function constantName(kind: string, plural: string): string {
  const lower = kind.toLowerCase();
  let same = 0;
  while (same < lower.length && lower[same] === plural[same]) same++;
  const name = kind.slice(0, same) + plural.slice(same);
  return name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (acronym) => acronym.toLowerCase());
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `snapshot.storage.k8s.io` is written to `snapshot.ts`. */
export function fileOf(group: string): string {
  return group === "" ? "core.ts" : `${group.split(".")[0]}.ts`;
}
