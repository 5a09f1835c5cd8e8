import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { giveAnnotations } from "../../api/transfer/names.ts";
import { planInWords } from "../../runtime/print-table.ts";
import { gates } from "../../transfer/give/gates.ts";
import type { Claim } from "../../transfer/watches.ts";
import { judgeGates } from "../explain/judge.ts";
import { eyesOf } from "../kubectl/eyes.ts";
import { inWords, type Place } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { changeOfGive, claimAt } from "./give.ts";
import { lookAtOffer } from "./look-gives.ts";
import { lossesAt, lossesInWords } from "./losses.ts";
import { nextOf, type Preview } from "./preview.ts";
import { answerTo } from "./rehearsal.ts";

/** As `kubectl portway give` would, without giving it. */
export async function previewOfGive(session: Session, source: Place, target: Place): Promise<Preview> {
  const { client } = session;
  const claim = await claimAt(session, source);
  const eyes = eyesOf(client);
  const { seen, assumed } = await lookAtOffer(eyes, asIfGiven(claim, target));
  const { closed, unknown } = judgeGates(gates, seen);
  const losses = await lossesAt(eyes, source);
  const { operations } = changeOfGive(claim, target);
  const tried = await answerTo(`the give of ${inWords(source)}`, () =>
    client.patch(persistentVolumeClaims, source, operations, { dryRun: true }),
  );
  return {
    about: `${inWords(source)} given to ${inWords(target)}`,
    tried: [tried],
    inTheWay: closed.map((plan) => ({ what: planInWords(plan), next: nextOf(plan) })),
    notJudged: unknown,
    affected: lossesInWords(losses, source),
    agreed: "As it is given, accepted and deleted, Portway writes:",
    writes: writesOf(source, target),
    assumed,
    unseen: eyes.unseen,
  };
}

function asIfGiven(claim: Claim, target: Place): Claim {
  const { annotations, ...metadata } = claim.metadata;
  const others = Object.entries(annotations ?? {}).filter(([name]) => !giveAnnotations.some((one) => one === name));
  const given = { ...Object.fromEntries(others), [giveAnnotations[1]]: inWords(target) };
  return { ...claim, metadata: { ...metadata, annotations: given } };
}

/** In the order in which Portway writes them. It never deletes the source: whoever gives it does. */
function writesOf(source: Place, target: Place): readonly string[] {
  return [
    "the volume is locked: its journal is written and its policy becomes Retain",
    `the hold is taken off ${inWords(source)}, which may be deleted from then on`,
    `the claim ${inWords(target)}, once it accepts and fits, is marked as pending`,
    `the volume is pointed at ${inWords(target)}, by its uid, when ${inWords(source)} is gone`,
    "the volume gets its old policy back, and its journal says complete",
    `the claim ${inWords(target)} is marked as complete`,
  ];
}
