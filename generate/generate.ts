import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { declareMet } from "./declare.ts";
import { fileText } from "./file.ts";
import { metaFile, metaPackage } from "./known.ts";
import { type Cut, packageOf, type Reading } from "./reading.ts";
import { type Root, rootsOf, type WantedKinds } from "./roots.ts";
import type { Documents } from "./schema.ts";

export interface Wanted {
  readonly kinds: readonly WantedKinds[];
  /** Components that are written in any case, and that an object of a CRD with the same properties is taken for. */
  readonly shared: readonly string[];
  readonly cuts: Readonly<Record<string, Cut>>;
}

/** The text of each file, by its name; not yet formatted. */
export function generate(documents: Documents, wanted: Wanted): ReadonlyMap<string, string> {
  const roots = wanted.kinds.flatMap((kinds) => rootsOf(documents, kinds));
  const files = new Map([[metaPackage, metaFile], ...roots.map((r) => [packageOf(r.component), r.file] as const)]);
  const catalogue = catalogueOf();
  const readings = [...documents.values()].map(
    (document): Reading => ({ document, catalogue, files, cuts: wanted.cuts, met: new Set() }),
  );
  shareFirst(readings, wanted.shared, catalogue);
  for (const reading of readings) {
    for (const root of roots) if (root.document === reading.document) reading.met.add(root.component);
    declareMet(reading);
  }
  return filesOf(catalogue, roots);
}

/** Before anything else is read: what a CRD repeats is only recognised once it is known. */
function shareFirst(readings: readonly Reading[], shared: readonly string[], catalogue: Catalogue): void {
  for (const component of shared) {
    const reading = readings.find(({ document }) => document.components.schemas[component] !== undefined);
    if (reading === undefined) throw new Error(`${component} is in none of the documents`);
    reading.met.add(component);
    declareMet(reading);
  }
  catalogue.shareAll();
}

function filesOf(catalogue: Catalogue, roots: readonly Root[]): ReadonlyMap<string, string> {
  const byFile = Map.groupBy(catalogue.all(), ({ file }) => file);
  return new Map(
    [...byFile].map(([file, types]) => [
      file,
      fileText(
        file,
        types,
        roots.filter((root) => root.file === file),
      ),
    ]),
  );
}
