/** A type of the output, before it is text. */
export type Type =
  | { readonly is: "plain"; readonly name: "string" | "number" | "boolean" | "unknown" }
  | { readonly is: "named"; readonly file: string; readonly name: string }
  | { readonly is: "choice"; readonly of: readonly unknown[] }
  | { readonly is: "list"; readonly of: Type }
  | { readonly is: "map"; readonly of: Type }
  | { readonly is: "nullable"; readonly of: Type };

export type Named = Extract<Type, { is: "named" }>;

export interface Property {
  readonly name: string;
  readonly optional: boolean;
  readonly type: Type;
}

export interface Declaration {
  readonly file: string;
  readonly name: string;
  /** Root objects have metadata, a kind and a version from KubeObject. */
  readonly root: boolean;
  readonly properties: readonly Property[];
}

export const unknown: Type = { is: "plain", name: "unknown" };
export const text: Type = { is: "plain", name: "string" };

export function printed(type: Type): string {
  switch (type.is) {
    case "plain":
    case "named":
      return type.name;
    case "choice":
      return type.of.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return `readonly ${element(type.of)}[]`;
    case "map":
      return `Readonly<Record<string, ${printed(type.of)}>>`;
    case "nullable":
      return `${printed(type.of)} | null`;
  }
}

function element(type: Type): string {
  const whole = type.is === "plain" || type.is === "named" || type.is === "map";
  return whole ? printed(type) : `(${printed(type)})`;
}

/** The declared types that a type is made of. */
export function namedIn(type: Type): readonly Named[] {
  switch (type.is) {
    case "named":
      return [type];
    case "list":
    case "map":
    case "nullable":
      return namedIn(type.of);
    case "plain":
    case "choice":
      return [];
  }
}
