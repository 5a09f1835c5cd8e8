import { bucketClasses } from "../../api/gen/cosi.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";

/** A document as it is written: nothing is known of it yet. */
export type Document = Readonly<Record<string, unknown>>;

export interface Rewrite {
  /** What is wrong, and what is done about it, for the person who reads it before it is sent. */
  readonly says: string;
  readonly holds: (document: Document) => boolean;
  readonly rewritten: (document: Document) => Document;
}

const ours = [storageTransferRequests, storageTransferApprovals];
const groupOf = (kind: unknown) => ours.find((resource) => resource.kind === kind)?.group ?? "";

/** What people paste from design documents, and what they mean by it. All that hold are done, from top to bottom. */
export const rewrites: readonly Rewrite[] = [
  renamedKey("apiversion", "apiVersion", 'the field is called "apiVersion"'),
  renamedKey("Metadata", "metadata", 'the field is called "metadata"'),
  {
    says: 'metadata.Namespace becomes metadata.namespace: the field is called "namespace"',
    holds: ({ metadata }) => isRecord(metadata) && "Namespace" in metadata && !("namespace" in metadata),
    rewritten: (document) => ({
      ...document,
      metadata: withKey(document["metadata"] as Document, "Namespace", "namespace"),
    }),
  },
  {
    says: "apiVersion v1alpha1 becomes transfer.portway.dev/v1alpha1: a kind of its own belongs to a group",
    holds: ({ apiVersion, kind }) => apiVersion === "v1alpha1" && groupOf(kind) !== "",
    rewritten: (document) => ({ ...document, apiVersion: `${groupOf(document["kind"])}/v1alpha1` }),
  },
  {
    says: "a field without a value becomes no field: whoever fills in a form leaves out what is optional",
    holds: (document) => isOfBuckets(document) && JSON.stringify(withoutEmpty(document)) !== JSON.stringify(document),
    rewritten: (document) => withoutEmpty(document) as Document,
  },
];

function isOfBuckets({ apiVersion }: Document): boolean {
  return typeof apiVersion === "string" && apiVersion.startsWith(`${bucketClasses.group}/`);
}

/** A form is a tree: what holds nothing but empty fields is empty itself. What was written as empty stays. */
function withoutEmpty(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  const left = entries.filter(([, member]) => member !== null);
  return left.length === 0 && entries.length > 0 ? null : Object.fromEntries(left);
}

/** Tabs are no indentation in YAML; in what people paste one stands for four blanks. */
export const tabRewrite = {
  says: "tabs at the beginning of lines become four blanks: YAML knows no tabs there",
  holds: (text: string) => /^ *\t/m.test(text),
  rewritten: (text: string) => text.replaceAll(/^[ \t]+/gm, (blanks) => blanks.replaceAll("\t", "    ")),
} as const;

export interface Rewritten {
  readonly document: Document;
  readonly notes: readonly string[];
}

/** What no row knows passes unchanged. */
export function rewritten(document: Document): Rewritten {
  let now = document;
  const notes: string[] = [];
  for (const { says, holds, rewritten } of rewrites) {
    if (!holds(now)) continue;
    now = rewritten(now);
    notes.push(says);
  }
  return { document: now, notes };
}

function renamedKey(from: string, to: string, why: string): Rewrite {
  return {
    says: `${from} becomes ${to}: ${why}`,
    holds: (document) => from in document && !(to in document),
    rewritten: (document) => withKey(document, from, to),
  };
}

function withKey(record: Document, from: string, to: string): Document {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

export function isRecord(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
