import type { Failure } from "../../api/failure.ts";
import { type Event, events } from "../../api/gen/core.ts";
import type { KubeObject, Resource, Stored } from "../../api/object.ts";
import type { Reflector } from "../../kube/cache/reflector.ts";
import type { Kept } from "../../kube/cache/store.ts";
import { eyesOf } from "./eyes.ts";
import type { Session } from "./session.ts";
import { watchOf } from "./watch.ts";

/** One object that somebody waits for, and what its states mean to that person. */
export interface Followed<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly object: Stored<T>;
  readonly timeoutSeconds: number;
  line(now: Stored<T>): string | undefined;
  /** Undefined while it goes on; what is gone, or is another object of that name by now, is looked at as undefined. */
  ends(now: Stored<T> | undefined): "well" | Failure | undefined;
  late(last: Stored<T> | undefined): Failure;
  /** Others that tell more while one waits. */
  besides?(say: Say): Promise<readonly Reflector<never, Kept>[]>;
}

export type Say = (line: string) => void;

/** Tells every step as far as this person may see it, and answers the object as it was last seen when it has ended well. */
export async function follow<T extends KubeObject>(session: Session, followed: Followed<T>): Promise<Stored<T>> {
  const { resource, object, timeoutSeconds } = followed;
  const { namespace = "", name } = object.metadata;
  const ended = Promise.withResolvers<Stored<T>>();
  const say = lines(session);
  let last: Stored<T> | undefined;

  function hear(found: Stored<T> | undefined): void {
    const now = found?.metadata.uid === object.metadata.uid ? found : undefined;
    if (now !== undefined) last = now;
    const line = now === undefined ? undefined : followed.line(now);
    if (line !== undefined) say(line);
    const end = followed.ends(now);
    if (end === "well") ended.resolve(last ?? object);
    else if (end !== undefined) ended.reject(end);
  }

  const watched = watchOf(session, resource, { namespace, fieldSelector: `metadata.name=${name}` });
  watched.cache.onChange((_, after) => hear(after));
  const beside = [...(await eventsOn(session, object, say)), ...((await followed.besides?.(say)) ?? [])];
  const over = AbortSignal.any([session.stop, AbortSignal.timeout(timeoutSeconds * 1000)]);
  over.addEventListener("abort", () => ended.reject(over.reason as Error), { once: true });
  try {
    await Promise.race([watched.untilSynced(over), ended.promise]);
    if (watched.cache.size === 0) hear(undefined);
    return await ended.promise;
  } catch (problem) {
    if (session.stop.aborted || problem !== over.reason) throw problem;
    throw followed.late(last);
  } finally {
    await Promise.all([watched, ...beside].map((one) => one.stop()));
  }
}

/** The same sentence is told once, however often it is written. */
function lines({ terminal }: Session): Say {
  const told = new Set<string>();
  return (line) => {
    if (told.has(line)) return;
    told.add(line);
    terminal.say(line);
  };
}

/** Events say more than a condition; who may not see them waits without them. */
async function eventsOn(
  session: Session,
  { metadata: { namespace = "", uid } }: Stored<KubeObject>,
  say: Say,
): Promise<readonly Reflector<never, Kept>[]> {
  const about = { namespace, fieldSelector: `involvedObject.uid=${uid}` };
  if ((await eyesOf(session.client).list(events, about)).is === "unseen") return [];
  const heard = watchOf(session, events, about);
  heard.cache.onChange((_, after) => after && say(eventLine(after)));
  return [heard];
}

function eventLine({ reason = "", message = "" }: Event): string {
  return `${reason}: ${message}`;
}
