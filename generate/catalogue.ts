import { isDeepStrictEqual } from "node:util";
import { Failure } from "../src/api/failure.ts";
import type { Declaration, Named, Property } from "./type.ts";

/** The types that were read so far. Each is declared once, however many documents repeat it. */
export interface Catalogue {
  declare(declaration: Declaration): void;
  /** For an object that has no name upstream: a type with the same properties may be there already. */
  adopt(declaration: Declaration): Named;
  /** From now on an object with the properties of one of the types so far is that type. */
  shareAll(): void;
  all(): readonly Declaration[];
}

export function catalogueOf(): Catalogue {
  const declared = new Map<string, Declaration>();
  const adopted: Declaration[] = [];
  let shared: readonly Declaration[] = [];

  function declare(declaration: Declaration): void {
    const key = `${declaration.file} ${declaration.name}`;
    const earlier = declared.get(key) ?? declaration;
    if (!isDeepStrictEqual(earlier, declaration)) throw contradiction(declaration);
    declared.set(key, earlier);
  }

  return {
    declare,
    adopt(declaration) {
      const twin =
        shared.find((one) => isDeepStrictEqual(shapeOf(one), shapeOf(declaration))) ??
        adopted.find(
          (one) => one.file === declaration.file && isDeepStrictEqual(one.properties, declaration.properties),
        );
      if (twin === undefined) {
        declare(declaration);
        adopted.push(declaration);
      }
      const { file, name } = twin ?? declaration;
      return { is: "named", file, name };
    },
    shareAll() {
      shared = [...declared.values()];
    },
    all: () => [...declared.values()],
  };
}

/** CRDs narrow the properties of what they repeat, with an enum for example; it is the same type nevertheless. */
function shapeOf({ properties }: Declaration): readonly Pick<Property, "name" | "optional">[] {
  return properties.map(({ name, optional }) => ({ name, optional }));
}

function contradiction({ file, name }: Declaration): Failure {
  return new Failure(
    `two different types would be ${name} in src/api/gen/${file}`,
    "Ask for one version of it only in generate/wanted.ts, or rename a property of the CRD.",
  );
}
