import type { Wanted } from "./generate.ts";
import { metaPackage, objectMeta } from "./known.ts";
import type { Document, Schema } from "./schema.ts";

/** What a server would say about the kind Crate of example.dev, and about what Crates are made of. */
export function crates(crate: Readonly<Record<string, Schema>>, more: Example = {}): Document {
  const version = more.version ?? "v1";
  const kind = { group: "example.dev", version, kind: "Crate" };
  return {
    paths: {
      [`/apis/example.dev/${version}/crates`]: {},
      [`/apis/example.dev/${version}/namespaces/{namespace}/crates`]: {
        post: { "x-kubernetes-group-version-kind": kind },
      },
    },
    components: {
      schemas: {
        ...more.components,
        [`dev.example.${version}.Crate`]: {
          type: "object",
          properties: { apiVersion: string, kind: string, metadata: { allOf: [to(objectMeta)] }, ...crate },
          required: more.required ?? [],
          "x-kubernetes-group-version-kind": [kind],
        },
      },
    },
  };
}

interface Example {
  readonly version?: string;
  readonly required?: readonly string[];
  readonly components?: Readonly<Record<string, Schema>>;
}

export const wantedCrates: Wanted = {
  kinds: [{ group: "example.dev", versions: ["v1"], kinds: ["Crate"] }],
  shared: [],
  cuts: {},
};

export const string: Schema = { type: "string" };

export function to(component: string): Schema {
  return { $ref: `#/components/schemas/${component}` };
}

export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: "object", properties, required };
}

/** The shared type, as the server describes it. */
export const condition: Readonly<Record<string, Schema>> = {
  [`${metaPackage}.Condition`]: object({ type: string, status: string }, ["type", "status"]),
};
