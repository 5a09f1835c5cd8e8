import { readFile } from "node:fs/promises";

/** What a block waits for. A feature that is built takes its row's "pending" away. */
type Feature = "data sources" | "grants across namespaces" | "snapshot links";

/** One YAML block that a seed prints. Every one of them works in the end, because people paste what they read. */
export interface Block {
  /** The seed and the place of the block in it, which is also the name of its file: `001-2`. */
  readonly at: string;
  readonly says: string;
  readonly state: "works" | "pending";
  readonly waitsFor?: Feature;
}

export const blocks: readonly Block[] = [
  works("000-1", "the owner gives a claim by annotation"),
  works("000-2", "the volume of a given claim says so"),
  works("000-3", "the accepting claim says that it waits"),
  works("000-4", "the receiver accepts by annotation"),
  works("001-1", "a request for a claim of another namespace"),
  works("001-2", "the approval of that request"),
  works("002-1", "a bucket that somebody wants"),
  works("002-2", "the content behind a bucket"),
  works("002-3", "a class of buckets"),
  pending("003-1", "a snapshot with the fields of its first version", "data sources"),
  pending("003-2", "a claim restored from a snapshot", "data sources"),
  pending("003-3", "a claim cloned from a claim", "data sources"),
  pending("003-4", "a claim filled from a repository", "data sources"),
  pending("004-1", "a grant of a snapshot to the claims of a namespace", "grants across namespaces"),
  pending("004-2", "a claim restored from a snapshot of another namespace", "grants across namespaces"),
  pending("004-3", "a grant of a snapshot to the links of a namespace", "snapshot links"),
  pending("004-4", "a link to a snapshot of another namespace", "snapshot links"),
  pending("004-5", "a claim restored from a link", "snapshot links"),
  pending("004-6", "the populator of links makes itself known", "snapshot links"),
];

/** The block as it is printed, tabs and slips included. */
export async function textOf({ at }: Block): Promise<string> {
  return await readFile(new URL(`blocks/${at}.yaml`, import.meta.url), "utf8");
}

function works(at: string, says: string): Block {
  return { at, says, state: "works" };
}

function pending(at: string, says: string, waitsFor: Feature): Block {
  return { at, says, state: "pending", waitsFor };
}
