import { type Type, text, unknown } from "./type.ts";

/** Where the types that every group shares are written. */
export const metaFile = "meta.ts";
export const objectFile = "../object.ts";
export const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";
export const objectMeta = `${metaPackage}.ObjectMeta`;

export const intOrString: Type = { is: "named", file: metaFile, name: "IntOrString" };

/** Components whose type we say ourselves: hand-written ones, and those whose schema does not tell what they are. */
export const known: Readonly<Record<string, Type>> = {
  [objectMeta]: { is: "named", file: objectFile, name: "Metadata" },
  [`${metaPackage}.OwnerReference`]: { is: "named", file: objectFile, name: "OwnerReference" },
  [`${metaPackage}.Time`]: text,
  [`${metaPackage}.MicroTime`]: text,
  [`${metaPackage}.FieldsV1`]: unknown,
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { is: "named", file: metaFile, name: "Quantity" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": intOrString,
  "io.k8s.apimachinery.pkg.runtime.RawExtension": unknown,
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": unknown,
};

/** The aliases among them, with what stands behind each. */
export const aliases: Readonly<Record<string, string>> = {
  IntOrString: "number | string",
  Quantity: "string | number",
};
