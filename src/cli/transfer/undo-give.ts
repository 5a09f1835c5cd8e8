import { Failure } from "../../api/failure.ts";
import { type PersistentVolumeClaim, persistentVolumeClaims } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import { acceptAnnotations, seedClaimStatus } from "../../api/transfer/names.ts";
import { acceptOn, giveOn } from "../../api/transfer/wish.ts";
import { confirm } from "../kubectl/confirm.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { acceptLine, shapeOf, writeGive } from "./give.ts";

type Claim = Stored<PersistentVolumeClaim>;

interface How {
  readonly isAgreed: boolean;
  readonly dryRun: DryRun;
}

/** Takes back what somebody has written on a claim; answers whether there was anything. */
export async function undoOnClaim(session: Session, claim: Claim, how: How): Promise<boolean> {
  const [give, accept] = [giveOn(claim), acceptOn(claim)];
  if (give.is !== "none") {
    await takeBack(session, claim, how);
    return true;
  }
  if (accept.is !== "clear") return false;
  if (claim.metadata.annotations?.[seedClaimStatus] === "complete") sayHowToHandBack(session, claim, accept);
  else await stopAccepting(session, claim, accept, how);
  return true;
}

async function takeBack(session: Session, claim: Claim, { isAgreed, dryRun }: How): Promise<void> {
  const place = inWords(claim.metadata);
  if (claim.metadata.deletionTimestamp !== undefined)
    throw new Failure(
      `${place} is being deleted, and its volume goes to whoever accepts it`,
      `When it is gone: kubectl portway take-back ${claim.metadata.name} -n ${claim.metadata.namespace ?? ""} --size … --class …`,
    );
  await confirm(
    session.terminal,
    [`${place} is not given any more, and keeps its volume.`],
    isAgreed || dryRun !== "none",
  );
  await writeGive(session, claim, undefined, dryRun);
}

/** The claim was kept from every other volume when it was made, so without its source it is of no use. */
async function stopAccepting(session: Session, claim: Claim, source: Place, { isAgreed, dryRun }: How): Promise<void> {
  const { namespace = "", name, uid } = claim.metadata;
  if (claim.spec?.volumeName !== undefined)
    throw new Failure(
      `${inWords(claim.metadata)} has a volume already`,
      `Remove ${acceptAnnotations.join(" or ")} from it, if it bothers you.`,
    );
  const plan = [
    `The claim ${inWords(claim.metadata)}, which accepts ${inWords(source)} and has no volume, is deleted.`,
    `${inWords(source)} stays as it is: given, until its owner takes it back.`,
  ];
  await confirm(session.terminal, plan, isAgreed || dryRun !== "none");
  const options = { dryRun: dryRun === "server" };
  if (dryRun !== "client") await session.client.delete(persistentVolumeClaims, { namespace, name, uid }, options);
  await printDone(session, persistentVolumeClaims, claim, "deleted", dryRun);
}

function sayHowToHandBack({ terminal }: Session, claim: Claim, source: Place): void {
  const { namespace = "", name } = claim.metadata;
  const own = { namespace, name };
  terminal.say(`${inWords(source)} was handed over; nothing is undone by itself. To hand it back:`);
  terminal.result(
    [
      `kubectl portway give ${name} ${inWords(source)} -n ${namespace} --delete`,
      acceptLine(own, source, shapeOf(claim)),
    ].join("\n"),
  );
}
