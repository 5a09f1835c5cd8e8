import { Failure } from "../src/api/failure.ts";
import { capitalised, constantName, fileOf } from "./names.ts";
import { type Document, type Documents, documentPath, type GroupVersionKind, isSame } from "./schema.ts";

/** Kinds of one group. With several versions, all of them must have the type of the first. */
export interface WantedKinds {
  readonly group: string;
  readonly versions: readonly string[];
  readonly kinds: readonly string[];
}

/** A kind that clients ask for by its own path. */
export interface Root extends GroupVersionKind {
  readonly file: string;
  readonly component: string;
  readonly document: Document;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly constant: string;
}

/** Whether each wanted kind is in the documents by now; the server writes them some time after it accepts a CRD. */
export function isServed(documents: Documents, wanted: readonly WantedKinds[]): boolean {
  return wanted.flatMap(each).every((kind) => find(documents, kind) !== undefined);
}

export function rootsOf(documents: Documents, wanted: WantedKinds): readonly Root[] {
  return each(wanted).map((kind) => {
    const found = find(documents, kind);
    if (found === undefined) throw notServed(kind);
    const name = constantName(kind.kind, found.plural);
    const constant = kind.version === wanted.versions[0] ? name : `${name}${capitalised(kind.version)}`;
    return { ...kind, ...found, file: fileOf(kind.group), constant };
  });
}

function each({ group, versions, kinds }: WantedKinds): readonly GroupVersionKind[] {
  return versions.flatMap((version) => kinds.map((kind) => ({ group, version, kind })));
}

type Found = Pick<Root, "component" | "document" | "plural" | "namespaced">;

function find(documents: Documents, kind: GroupVersionKind): Found | undefined {
  const path = documentPath(kind.group, kind.version);
  const document = documents.get(path);
  if (document === undefined) return undefined;
  const component = Object.entries(document.components.schemas).find(([, schema]) =>
    schema["x-kubernetes-group-version-kind"]?.some((one) => isSame(one, kind)),
  )?.[0];
  const collection = Object.entries(document.paths)
    .filter(([, { post }]) => isSame(post?.["x-kubernetes-group-version-kind"] ?? nothing, kind))
    .map(([url]) => /^\/(namespaces\/\{namespace\}\/)?(\w+)$/.exec(url.slice(path.length + 1)))
    .find((match) => match !== null);
  const plural = collection?.[2];
  if (component === undefined || plural === undefined) return undefined;
  return { component, document, plural, namespaced: collection?.[1] !== undefined };
}

const nothing: GroupVersionKind = { group: "", version: "", kind: "" };

function notServed({ group, version, kind }: GroupVersionKind): Failure {
  const groupVersion = group === "" ? version : `${group}/${version}`;
  return new Failure(
    `the server does not serve ${kind} of ${groupVersion}`,
    "Start it with the add-on that brings this kind, or take the kind out of generate/wanted.ts.",
  );
}
