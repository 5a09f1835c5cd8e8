import { Failure } from "../../api/failure.ts";
import { persistentVolumeClaims } from "../../api/gen/core.ts";
import {
  type StorageTransferRequestSpecOptions,
  storageTransferApprovals,
  storageTransferRequests,
} from "../../api/gen/transfer.ts";
import type { KubeObject, Resource } from "../../api/object.ts";
import { listed } from "../kubectl/listing.ts";
import { freshEnding, inWords } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { approvalOf, approveLine, type Handshake, handshakeOf, requestOf } from "../transfer/handshake.ts";
import { type Bulk, batchLabel, type Item, inOneGo, newBatch, requireSome } from "./batch.ts";
import { claimsIn } from "./claims.ts";

/** For whoever may see the claims over there: each is asked for under its own name. */
export async function requestAll(
  session: Session,
  source: string,
  wish: Bulk & { readonly options: StorageTransferRequestSpecOptions },
): Promise<void> {
  const { namespace } = session;
  const batch = newBatch();
  const wishes = (await claimsIn(session, source, wish.selector)).map(
    ({ metadata: { name } }): Handshake => ({
      source: { namespace: source, name },
      target: { namespace, name },
      requestName: `transfer-${name}`,
      approvalName: `approve-${name}-${freshEnding()}`,
    }),
  );
  const items = wishes.map((one) =>
    itemFor(
      session,
      storageTransferRequests,
      inBatch(requestOf(one, wish.options), batch),
      `asks for ${inWords(one.source)}`,
    ),
  );
  await inOneGo(session, `${items.length} claims of ${source} are asked for (${batch})`, items, wish);
  if (wish.dryRun !== "none") return;
  session.terminal.say(
    [
      `Somebody who may delete claims in ${source} agrees, all at once if they may read requests here:`,
      `  kubectl portway approve ${namespace} -l ${batchLabel}=${batch} -n ${source}`,
      "and else one by one:",
      ...wishes.map((one) => `  ${approveLine(one)}`),
    ].join("\n"),
  );
}

/** Every request over there with these labels that asks for a claim of this namespace. */
export async function approveAll(session: Session, asker: string, wish: Bulk): Promise<void> {
  const { client, namespace } = session;
  const found = await listed(client, storageTransferRequests, { namespace: asker, labelSelector: wish.selector });
  const open = found.filter(({ spec, status }) => spec.source.namespace === namespace && status?.complete !== true);
  const batch = newBatch();
  const items: Item[] = [];
  for (const request of requireSome(open, `open request of ${asker} for ${namespace}`, wish.selector)) {
    const one = handshakeOf(request);
    const claim = await client.find(persistentVolumeClaims, one.source);
    if (claim === undefined)
      throw new Failure(`there is no claim ${inWords(one.source)}`, "An approval covers only a claim that is there.");
    const approval = inBatch(approvalOf(one, claim.metadata.uid), batch);
    const says = `lets ${asker} have ${inWords(one.source)}, with its volume and all its data`;
    items.push(itemFor(session, storageTransferApprovals, approval, says));
  }
  await inOneGo(session, `${items.length} requests of ${asker} are approved (${batch})`, items, wish);
}

function inBatch<T extends KubeObject>(object: T, batch: string): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, [batchLabel]: batch } } };
}

function itemFor<T extends KubeObject>(session: Session, resource: Resource<T>, object: T, says: string): Item {
  const { namespace = "", name = "" } = object.metadata;
  const what = `${resource.kind} ${namespace}/${name}`;
  return {
    what,
    says: `${what} ${says}`,
    async write({ dryRun }) {
      const stored = await session.client.create(resource, object, { dryRun });
      if (!dryRun) await printDone(session, resource, stored, "created");
    },
  };
}
