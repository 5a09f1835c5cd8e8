import { Failure } from "../../api/failure.ts";
import { type Event, events, type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { StorageTransferApproval, StorageTransferRequest } from "../../api/gen/transfer.ts";
import type { Resource, Stored } from "../../api/object.ts";
import type { Reflector } from "../../kube/cache/reflector.ts";
import type { Kept } from "../../kube/cache/store.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { watchOf } from "../kubectl/watch.ts";
import { lineOf, type Told, toldOn } from "./told.ts";

type Consent = StorageTransferRequest | StorageTransferApproval;

export interface Followed<T extends Consent> {
  readonly resource: Resource<T>;
  readonly object: Stored<T>;
  /** The claim that the receiver gets, where the person may see it. */
  readonly target?: Place;
  readonly timeoutSeconds: number;
}

/** Tells every step of a transfer as far as this person may see it, and answers when it is complete. */
export async function follow<T extends Consent>(session: Session, followed: Followed<T>): Promise<Stored<T>> {
  const { resource, object, timeoutSeconds } = followed;
  const { namespace = "", name } = object.metadata;
  const ended = Promise.withResolvers<Stored<T>>();
  const say = lines(session);
  let last: Told | undefined;

  function hear(now: Stored<T> | undefined): void {
    if (now?.metadata.uid !== object.metadata.uid) return ended.reject(gone(resource, { namespace, name }));
    last = toldOn(now);
    if (last.phase !== "New") say(`${inWords({ namespace, name })}: ${lineOf(last)}`);
    if (last.phase === "Complete") ended.resolve(now);
    else if (last.hasEnded) ended.reject(failed({ namespace, name }, last));
  }

  const watched = watchOf(session, resource, { namespace, fieldSelector: `metadata.name=${name}` });
  watched.cache.onChange((_, after) => hear(after));
  const beside = await besides(session, followed, say);
  const over = AbortSignal.any([session.stop, AbortSignal.timeout(timeoutSeconds * 1000)]);
  over.addEventListener("abort", () => ended.reject(over.reason as Error), { once: true });
  try {
    await Promise.race([watched.untilSynced(over), ended.promise]);
    if (watched.cache.size === 0) hear(undefined);
    return await ended.promise;
  } catch (problem) {
    if (session.stop.aborted || problem !== over.reason) throw problem;
    throw late({ namespace, name }, timeoutSeconds, last);
  } finally {
    await Promise.all([watched, ...beside].map((one) => one.stop()));
  }
}

/** The same sentence is told once, however often it is written. */
function lines({ terminal }: Session): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (told.has(line)) return;
    told.add(line);
    terminal.say(line);
  };
}

/** Events and the claim that arrives say more than a condition; who may not see them waits without them. */
async function besides<T extends Consent>(
  session: Session,
  { object, target }: Followed<T>,
  say: (line: string) => void,
): Promise<readonly Reflector<never, Kept>[]> {
  const eyes = eyesOf(session.client);
  const { namespace = "", uid } = object.metadata;
  const opened: Reflector<never, Kept>[] = [];
  const about = { namespace, fieldSelector: `involvedObject.uid=${uid}` };
  if ((await eyes.list(events, about)).is === "seen") {
    const heard = watchOf(session, events, about);
    heard.cache.onChange((_, after) => after && say(eventLine(after)));
    opened.push(heard);
  }
  const claim = target && { namespace: target.namespace, fieldSelector: `metadata.name=${target.name}` };
  if (claim !== undefined && (await eyes.list(persistentVolumeClaims, claim)).is === "seen") {
    const seen = watchOf(session, persistentVolumeClaims, claim);
    seen.cache.onChange((_, after) => after && say(claimLine(after)));
    opened.push(seen);
  }
  return opened;
}

function eventLine({ reason = "", message = "" }: Event): string {
  return `${reason}: ${message}`;
}

function claimLine({ metadata, status }: Stored<PersistentVolumeClaim>): string {
  return `the target claim ${inWords(metadata)} is there (${status?.phase ?? "Pending"})`;
}

function gone({ kind }: Resource, place: Place): Failure {
  return new Failure(
    `the ${kind} ${inWords(place)} was deleted while we waited`,
    "Somebody took it back: kubectl portway status shows what is left.",
  );
}

function failed(place: Place, told: Told): Failure {
  return new Failure(`${inWords(place)} has failed: ${lineOf(told)}`, "kubectl portway explain says more.");
}

function late(place: Place, seconds: number, told: Told | undefined): Failure {
  const state = told === undefined || told.phase === "New" ? "Portway has not said anything about it" : lineOf(told);
  return new Failure(
    `${inWords(place)} is not complete after ${seconds} s: ${state}`,
    "It goes on by itself; kubectl portway status -w follows it.",
  );
}
