import type { StorageTransferRequestSpecOptions } from "../../api/gen/transfer.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import { reasons } from "../../api/reasons.ts";
import { planInWords } from "../../runtime/print-table.ts";
import type { Plan } from "../../runtime/table.ts";
import { gates } from "../../transfer/proposal/gates.ts";
import { judgeGates } from "../explain/judge.ts";
import { type Eyes, eyesOf, type Unseen } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { approvalOf, type Handshake, requestOf } from "./handshake.ts";
import { lookAtRequest } from "./look.ts";
import { lossesAt, lossesInWords } from "./losses.ts";
import { type Rehearsed, rehearse } from "./rehearsal.ts";

export interface Preview {
  readonly about: string;
  readonly tried: readonly Rehearsed[];
  readonly inTheWay: readonly { readonly what: string; readonly next: string }[];
  /** What the gates need that could not be judged. */
  readonly notJudged: readonly string[];
  readonly affected: readonly string[];
  /** When it writes. */
  readonly agreed: string;
  readonly writes: readonly string[];
  readonly assumed: readonly string[];
  readonly unseen: readonly Unseen[];
}

export async function previewOf(
  session: Session,
  wish: Handshake,
  options: StorageTransferRequestSpecOptions,
): Promise<Preview> {
  const eyes: Eyes = eyesOf(session.client);
  const now = new Date().toISOString();
  const stamp = { uid: "not-sent", resourceVersion: "0", creationTimestamp: now };
  const { seen, assumed } = await lookAtRequest(
    eyes,
    stamped(requestOf(wish, options), stamp),
    stamped(approvalOf(wish, undefined), stamp),
  );
  const { closed, unknown } = judgeGates(gates, seen);
  const losses = await lossesAt(eyes, wish.source);
  const tried = await rehearse(session.client, wish, seen);
  return {
    about: `${inWords(wish.source)} to ${inWords(wish.target)}`,
    tried,
    inTheWay: closed.map((plan) => ({ what: planInWords(plan), next: nextOf(plan) })),
    notJudged: unknown,
    affected: lossesInWords(losses, wish.source),
    agreed: "Once both have agreed, Portway writes:",
    writes: writesOf(wish),
    assumed,
    unseen: eyes.unseen,
  };
}

export function nextOf(plan: Plan<never>): string {
  return plan.do === "wait" || plan.do === "refuse" ? reasons[plan.why].next : "";
}

/** As it would be, had it been sent now. */
function stamped<T extends KubeObject>(
  object: T,
  stamp: { readonly uid: string; readonly resourceVersion: string },
): Stored<T> {
  const { name = "", ...rest } = object.metadata;
  return { ...object, metadata: { ...rest, name, ...stamp } };
}

/** In the order in which Portway writes them; nothing is destroyed before the fourth. */
function writesOf({ source, target, requestName, approvalName }: Handshake): readonly string[] {
  return [
    "the volume is locked: its journal is written and its policy becomes Retain",
    `the claim ${inWords(target)} is created for this volume; quota and policies speak here`,
    `the request ${target.namespace}/${requestName} and its approval are read once more, and the claim ${inWords(source)} is deleted`,
    `the volume is pointed at ${inWords(target)}, by its uid`,
    "the claim is touched, so that Kubernetes binds it at once",
    `the approval ${source.namespace}/${approvalName} is marked as used`,
    "the volume gets its old policy back, and its journal says complete",
    "the request is told that it is complete",
  ];
}

export function previewText(p: Preview): string {
  return [
    `Preview: ${p.about}. Nothing has been changed.`,
    ...list(
      "The server would say:",
      p.tried.map(({ what, answer, words }) => `${what}: ${answer}${words === undefined ? "" : `: ${words}`}`),
    ),
    ...list(
      "In the way today:",
      p.inTheWay.length === 0 ? ["nothing that you may see"] : p.inTheWay.map(({ what, next }) => `${what} ${next}`),
    ),
    ...list("Affected:", p.affected),
    ...list(p.agreed, p.writes),
    ...list(
      "Not judged, because you may not see it:",
      p.notJudged.map((needs) => `what depends on ${needs}`),
    ),
    ...list("Taken for granted:", p.assumed),
    ...list(
      "Could not be seen:",
      p.unseen.map(({ what, why }) => `${what}: ${why}`),
    ),
  ].join("\n");
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", title, ...items.map((item) => `  - ${item}`)];
}
