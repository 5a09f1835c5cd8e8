import { Failure } from "../../api/failure.ts";
import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { StorageTransferApproval, StorageTransferRequest } from "../../api/gen/transfer.ts";
import type { Resource, Stored } from "../../api/object.ts";
import type { Reflector } from "../../kube/cache/reflector.ts";
import type { Kept } from "../../kube/cache/store.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { follow, type Say } from "../kubectl/follow.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { watchOf } from "../kubectl/watch.ts";
import { lineOf, type Told } from "../text/told.ts";
import { toldOn } from "./told.ts";

type Consent = StorageTransferRequest | StorageTransferApproval;

export interface FollowedConsent<T extends Consent> {
  readonly resource: Resource<T>;
  readonly object: Stored<T>;
  /** The claim that the receiver gets, where the person may see it. */
  readonly target?: Place;
  readonly timeoutSeconds: number;
}

/** Tells every step of a transfer as far as this person may see it, and answers when it is complete. */
export async function followConsent<T extends Consent>(
  session: Session,
  { target, ...followed }: FollowedConsent<T>,
): Promise<Stored<T>> {
  const { resource, object, timeoutSeconds } = followed;
  const { namespace = "", name } = object.metadata;
  const place = { namespace, name };
  return await follow(session, {
    ...followed,
    line(now) {
      const told = toldOn(now);
      return told.phase === "New" ? undefined : `${inWords(place)}: ${lineOf(told)}`;
    },
    ends(now) {
      if (now === undefined) return gone(resource, place);
      const told = toldOn(now);
      if (told.phase === "Complete") return "well";
      return told.hasEnded ? failed(place, told) : undefined;
    },
    late: (last) => late(place, timeoutSeconds, last === undefined ? undefined : toldOn(last)),
    besides: (say) => claimAt(session, target, say),
  });
}

/** The claim that arrives; who may not see it waits without it. */
async function claimAt(
  session: Session,
  target: Place | undefined,
  say: Say,
): Promise<readonly Reflector<never, Kept>[]> {
  if (target === undefined) return [];
  const claim = { namespace: target.namespace, fieldSelector: `metadata.name=${target.name}` };
  if ((await eyesOf(session.client).list(persistentVolumeClaims, claim)).is === "unseen") return [];
  const seen = watchOf(session, persistentVolumeClaims, claim);
  seen.cache.onChange((_, after) => after && say(claimLine(after)));
  return [seen];
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
