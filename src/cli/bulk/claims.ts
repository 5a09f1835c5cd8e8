import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { acceptAnnotations } from "../../api/transfer/names.ts";
import { giveOn } from "../../api/transfer/wish.ts";
import type { Change } from "../../kube/json-patch.ts";
import { listed } from "../kubectl/listing.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { acceptLine, changeOfGive, claimOf, shapeOf } from "../transfer/give.ts";
import { type Bulk, batchLabel, type Item, inOneGo, newBatch, requireSome } from "./batch.ts";

type Claim = Stored<PersistentVolumeClaim>;

/** Every claim with these labels is given to the claim of the same name over there. */
export async function giveAll(
  session: Session,
  target: string,
  wish: Bulk & { readonly deletes: boolean },
): Promise<void> {
  const { namespace } = session;
  const batch = newBatch();
  const claims = await claimsIn(session, namespace, wish.selector);
  const items = claims.map((claim): Item => {
    const to = { namespace: target, name: claim.metadata.name };
    const change = labelled(changeOfGive(claim, to), batch);
    return {
      what: `the give of ${inWords(claim.metadata)}`,
      says: `${inWords(claim.metadata)} is given to ${inWords(to)}${wish.deletes ? " and deleted; its volume is kept" : ""}`,
      async write({ dryRun }) {
        const stored = await session.client.patch(persistentVolumeClaims, claim.metadata, change.operations, {
          dryRun,
        });
        if (dryRun) return;
        if (wish.deletes)
          await session.client.delete(persistentVolumeClaims, { ...placeOf(claim), uid: claim.metadata.uid });
        await printDone(session, persistentVolumeClaims, stored, `given to ${inWords(to)}`);
      },
    };
  });
  await inOneGo(session, `${items.length} claims are given to ${target} (${batch})`, items, wish);
  if (wish.dryRun !== "none") return;
  const lines = claims.map(
    (claim) => `  ${acceptLine(placeOf(claim), { namespace: target, name: claim.metadata.name }, shapeOf(claim))}`,
  );
  session.terminal.say([`Somebody in ${target} accepts them with:`, ...lines].join("\n"));
}

/** None of them is given any more. */
export async function takeAllBack(session: Session, wish: Bulk): Promise<void> {
  const claims = (await claimsIn(session, session.namespace, wish.selector)).filter(
    (claim) => giveOn(claim).is !== "none",
  );
  const items = requireSome(claims, "given claim", wish.selector).map((claim): Item => {
    const { operations } = changeOfGive(claim, undefined);
    return {
      what: `the give of ${inWords(claim.metadata)}`,
      says: `${inWords(claim.metadata)} is not given any more, and keeps its volume`,
      async write({ dryRun }) {
        const stored = await session.client.patch(persistentVolumeClaims, claim.metadata, operations, { dryRun });
        if (!dryRun) await printDone(session, persistentVolumeClaims, stored, "is not given any more");
      },
    };
  });
  await inOneGo(session, `${items.length} gives are taken back`, items, wish);
}

/** For whoever may see the claims over there: each is accepted under its own name, as it asks to be. */
export async function acceptAll(session: Session, source: string, wish: Bulk): Promise<void> {
  const { namespace } = session;
  const batch = newBatch();
  const claims = await claimsIn(session, source, wish.selector);
  const items = claims.map((claim): Item => {
    const place = { namespace, name: claim.metadata.name };
    const annotations = { [acceptAnnotations[1]]: inWords(claim.metadata) };
    const wanted = claimOf(place, annotations, shapeOf(claim));
    const object = { ...wanted, metadata: { ...wanted.metadata, labels: { [batchLabel]: batch } } };
    return {
      what: `the claim ${inWords(place)}`,
      says: `${inWords(place)} accepts ${inWords(claim.metadata)}`,
      async write({ dryRun }) {
        const stored = await session.client.create(persistentVolumeClaims, object, { dryRun });
        if (!dryRun) await printDone(session, persistentVolumeClaims, stored, `accepts ${inWords(claim.metadata)}`);
      },
    };
  });
  await inOneGo(session, `${items.length} claims of ${source} are accepted (${batch})`, items, wish);
}

export async function claimsIn(
  { client }: Session,
  namespace: string,
  labelSelector: string,
): Promise<readonly Claim[]> {
  const found = await listed(client, persistentVolumeClaims, { namespace, labelSelector });
  return requireSome(found, `claim of ${namespace}`, labelSelector);
}

function labelled(change: Change<PersistentVolumeClaim>, batch: string): Change<PersistentVolumeClaim> {
  return change.set(["metadata", "labels", batchLabel], batch);
}

function placeOf({ metadata: { namespace = "", name } }: Claim): Place {
  return { namespace, name };
}
