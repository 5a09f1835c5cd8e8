import { type CSIStorageCapacity, csiStorageCapacities } from "../../api/gen/storage.ts";
import type { OwnerReference, Stored } from "../../api/object.ts";
import type { Cache } from "../../kube/cache/store.ts";
import type { Look } from "../../runtime/reconciler.ts";
import type { Sources } from "../../runtime/sources.ts";
import type { Goal, Goals } from "./goals.ts";
import { isOurs, pairOf, placeIn } from "./segments.ts";

export type Capacity = Stored<CSIStorageCapacity>;

/** What the driver said is free, and to which question. */
export interface Answer {
  readonly available: bigint;
  readonly maximum?: bigint;
  readonly classUID: string;
  /** How often somebody had wished to know anew when it was asked. */
  readonly wish: number;
  /** When it was asked, in milliseconds of the clock that only goes forward. */
  readonly at: number;
}

/** A class in a segment, of which the scheduler is to be told. */
export interface Wanted extends Goal {
  readonly is: "wanted";
  readonly object: Capacity | undefined;
  readonly owner: OwnerReference | undefined;
  /** Only while it is good: not too old, of this very class, and nobody has wished to know anew since. */
  readonly answer: Answer | undefined;
  readonly goodForSeconds: number;
  readonly wish: number;
}

/** An object that says it is ours. */
export interface Published {
  readonly is: "published";
  readonly object: Capacity;
  /** It is the one object of something that is wanted. */
  readonly isNeeded: boolean;
}

export type Seen = Wanted | Published;

export interface CapacitySight {
  readonly driverName: string;
  readonly goals: Goals;
  readonly capacities: Cache<Capacity>;
  /** Whose end is to be the end of the objects; undefined for nobody's. */
  readonly owner: () => Promise<OwnerReference | undefined>;
  readonly now: () => number;
  readonly pollSeconds: number;
  readonly wishOf: (key: string) => number;
}

/**
 * All objects of the namespace, and not only our own: what a selector leaves out only the server knows, so that a cache
 * behind one would not show what we have just written, and it would be written twice.
 */
export function watchCapacities(sources: Sources, namespace: string, driverName: string): Cache<Capacity> {
  return sources.watch(csiStorageCapacities, {
    where: { namespace },
    project: withoutManagers,
    indexes: { pair: (object) => (isOurs(object, driverName) ? [pairOf(object)].filter(isText) : []) },
  }).cache;
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function withoutManagers(object: Capacity): Capacity {
  const { managedFields: _, ...metadata } = object.metadata as Capacity["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}

export async function observeCapacity(sight: CapacitySight, key: string, look: Look): Promise<Seen | undefined> {
  const place = placeIn(key);
  return place === undefined ? await observeWanted(sight, key, look) : observePublished(sight, place);
}

async function observeWanted(sight: CapacitySight, key: string, { reply }: Look): Promise<Wanted | undefined> {
  const goal = sight.goals.all().get(key);
  if (goal === undefined) return undefined;
  const owner = await sight.owner();
  const wish = sight.wishOf(key);
  const answer = isAnswer(reply) && reply.wish === wish && isOf(reply, goal) ? reply : undefined;
  const goodForSeconds = answer === undefined ? 0 : sight.pollSeconds - (sight.now() - answer.at) / 1000;
  return {
    is: "wanted",
    ...goal,
    object: objectOf(sight.capacities, key),
    owner,
    answer: goodForSeconds > 0 ? answer : undefined,
    goodForSeconds,
    wish,
  };
}

function observePublished({ capacities, driverName, goals }: CapacitySight, place: string): Published | undefined {
  const object = capacities.get(place);
  if (object === undefined || !isOurs(object, driverName)) return undefined;
  const pair = pairOf(object);
  const isNeeded = pair !== undefined && goals.all().has(pair) && objectOf(capacities, pair) === object;
  return { is: "published", object, isNeeded };
}

/** Always the same one of several, the oldest: an answer that was lost on its way may have left two. */
export function objectOf(capacities: Pick<Cache<Capacity>, "by">, pair: string): Capacity | undefined {
  const staying = capacities.by("pair", pair).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return staying.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))[0];
}

function ageOf({ metadata: { creationTimestamp = "", name } }: Capacity): string {
  return `${creationTimestamp} ${name}`;
}

function isAnswer(reply: unknown): reply is Answer {
  return typeof reply === "object" && reply !== null && "available" in reply;
}

/** A class that was made again under its name may have other parameters. */
function isOf(answer: Answer, { storageClass }: Goal): boolean {
  return answer.classUID === storageClass.metadata.uid;
}
