import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from "js-yaml";
import { Failure } from "../../api/failure.ts";
import type { KubeObject } from "../../api/object.ts";
import { type Document, isRecord, rewritten, tabRewrite } from "./rewrites.ts";

/** One object that is to be sent, and what was rewritten in it. */
export interface Wanted {
  /** For sentences: `document 2 of request.yaml`. */
  readonly place: string;
  readonly object: KubeObject;
  readonly notes: readonly string[];
}

export function wantedIn(text: string, file: string): readonly Wanted[] {
  const hasTabs = tabRewrite.holds(text);
  const documents = parsed(hasTabs ? tabRewrite.rewritten(text) : text, file);
  const all = documents.flatMap((document, index) => wantedFrom(document, `document ${index + 1} of ${file}`));
  if (all.length === 0)
    throw new Failure(`there is no object in ${file}`, "Write at least one, with apiVersion, kind and metadata.name.");
  return hasTabs ? all.map((one) => ({ ...one, notes: [tabRewrite.says, ...one.notes] })) : all;
}

function parsed(text: string, file: string): readonly unknown[] {
  try {
    // As kubectl reads: 0644 is no octal number, "yes" is a word, and << merges.
    return loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag) }).filter((document) => document !== null);
  } catch (problem) {
    if (!(problem instanceof YAMLException)) throw problem;
    throw new Failure(`${file} is no YAML: ${problem.message.split("\n")[0] ?? ""}`, "Correct that line.");
  }
}

function wantedFrom(document: unknown, place: string): readonly Wanted[] {
  if (!isRecord(document))
    throw new Failure(`${place} is no object`, "Every document needs apiVersion, kind and metadata.");
  const { document: now, notes } = rewritten(document);
  const { kind, items } = now;
  if (kind === "List" && Array.isArray(items))
    return items.flatMap((item, index) => wantedFrom(item, `item ${index + 1} of ${place}`));
  return [{ place, object: objectIn(now, place), notes }];
}

function objectIn(document: Document, place: string): KubeObject {
  const { apiVersion, kind, metadata } = document;
  const missing = [
    ...(typeof apiVersion === "string" && apiVersion !== "" ? [] : ["apiVersion"]),
    ...(typeof kind === "string" && kind !== "" ? [] : ["kind"]),
    ...(isRecord(metadata) && (isName(metadata["name"]) || isName(metadata["generateName"])) ? [] : ["metadata.name"]),
  ];
  if (missing.length === 0) return document as KubeObject & Document;
  throw new Failure(`${place} has no ${missing.join(" and no ")}`, "Every object needs these three.");
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** A piece of an object that somebody wants to change, and no whole one. */
export function isFragment(object: KubeObject): boolean {
  return Object.keys(object).every((key) => ["apiVersion", "kind", "metadata"].includes(key));
}
