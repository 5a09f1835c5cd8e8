import { bucketFinalizer } from "../../api/buckets/names.ts";
import type { Reason } from "../../api/reasons.ts";
import type { Cache } from "../../kube/cache/store.ts";
import type { Look } from "../../runtime/reconciler.ts";
import { type Content, isGivenUp, isLeaving } from "../content.ts";
import type { Access, Made } from "./answers.ts";
import type { DriverFacts } from "./driver-facts.ts";

/** A content of this driver, and how far this process has come with it. */
export interface Seen {
  readonly content: Content;
  readonly driver: DriverFacts;
  readonly isRegistered: boolean;
  readonly progress: Progress;
  /** Changes when the driver was lost and is back: what it refused before it may do now. */
  readonly era: number;
  readonly now: Date;
}

/** What the driver and the server have answered. Lost at a restart: every call is repeated, with the same answer. */
export interface Progress {
  /** This process has written that it begins, so the content was there then, and its end will be seen. */
  readonly hasBegun?: boolean;
  readonly bucket?: Made;
  readonly access?: Access;
  readonly secretIsStored?: boolean;
  readonly isRevoked?: boolean;
  readonly isDeleted?: boolean;
  readonly secretIsGone?: boolean;
  readonly failed?: Failed;
}

export interface Failed {
  readonly why: Reason;
  readonly message: string;
  readonly times: number;
  readonly at: Date;
  readonly circumstances: string;
}

/** In others the driver may do what it refused in these: it is back, the content is another, or something else is asked. */
export function circumstancesOf({ content, era }: Pick<Seen, "content" | "era">): string {
  return `${era} ${generationOf(content) ?? 0} ${isGivenUp(content)}`;
}

/**
 * A deletion is a new generation of the same wish: no reason to ask the driver again, and nothing to tell. The controller is
 * about to write whether the Bucket goes too.
 */
export function generationOf(content: Content): number | undefined {
  const { metadata, status } = content;
  const isOnlyDeleted = isLeaving(content) && !isGivenUp(content);
  return (isOnlyDeleted ? status?.observedGeneration : undefined) ?? metadata.generation;
}

export interface Eyes {
  readonly contents: Cache<Content>;
  readonly driver: DriverFacts;
  readonly isRegistered: () => boolean;
  readonly era: () => number;
}

export function observe(eyes: Eyes, key: string, { now, reply }: Look): Seen | undefined {
  const content = eyes.contents.get(key.slice(key.indexOf("/") + 1));
  // The server has chosen them already; whatever else it may show, another driver's is never touched.
  if (content === undefined || content.spec.provisioner !== eyes.driver.name) return undefined;
  if (content.metadata.finalizers?.includes(bucketFinalizer) !== true) return undefined;
  const progress = (reply ?? {}) as Progress;
  return { content, driver: eyes.driver, isRegistered: eyes.isRegistered(), progress, era: eyes.era(), now };
}

/** The Bucket's namespace comes first: a tenant's buckets wait for each other, not for those of others. */
export function keyOf({ metadata, spec }: Content): string {
  return `${spec.bucketRef.namespace}/${metadata.name}`;
}
