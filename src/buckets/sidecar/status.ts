import { type ConditionWish, withCondition } from "../../api/conditions.ts";
import { defined } from "../../api/defined.ts";
import { type BucketContentStatus, type BucketContentStatusAccount, bucketContents } from "../../api/gen/cosi.ts";
import { reasons } from "../../api/reasons.ts";
import type { Report } from "../../runtime/report.ts";
import type { Decision } from "../../runtime/table.ts";
import { accountOf, type Content, type ContentCondition, isGivenUp, phaseOf } from "../content.ts";
import type { Step } from "./rules.ts";
import { generationOf, type Seen } from "./seen.ts";

/** What is told of a content: that it is ready, or what is in the way, in the driver's own words. */
export function report(seen: Seen, { plan, row }: Decision<Step>): readonly Report[] {
  // Whoever has the name tells; two who tell would contradict each other for ever.
  if (!seen.isRegistered) return [];
  const about = { resource: bucketContents, object: seen.content };
  if (plan.do === "wait" || plan.do === "refuse") {
    const message = `${plan.detail ?? reasons[plan.why].says} ${reasons[plan.why].next} (${row})`;
    const wish = { type: stageOf(seen), status: "False", reason: plan.why, message } as const;
    const note = { type: "Warning", reason: plan.why, message } as const;
    return [{ ...about, status: { ...statusWith(seen.content, [wish], seen.now), message }, note }];
  }
  if (isGivenUp(seen.content) || seen.content.spec.secretRef === undefined) return [];
  const note = {
    type: "Normal",
    reason: "BucketReady",
    message: "The bucket is there, and its keys are granted.",
  } as const;
  return [{ ...about, status: readyStatus(seen), note }];
}

export function startedStatus(content: Content, account: string, now: Date): BucketContentStatus {
  const status = statusWith(content, [settled("ProvisioningStarted")], now);
  const accounts = withAccount(content, { name: account, state: "Pending" });
  return { ...status, message: reasons.Working.says, accounts };
}

export function releasedStatus(content: Content, now: Date): BucketContentStatus {
  const accounts = (content.status?.accounts ?? []).map((account) => ({ ...account, state: "Revoked" as const }));
  const { accountID: _, ...status } = statusWith(content, [settled("Released")], now);
  return { ...status, accounts, message: reasons.Settled.says };
}

function readyStatus({ content, progress, now }: Seen): BucketContentStatus {
  const { access } = progress;
  const status = statusWith(content, [settled("BucketReady"), settled("AccessGranted")], now);
  if (access === undefined) return { ...status, message: reasons.Settled.says };
  const { accountID, endpoint } = access;
  const accounts = withAccount(content, { name: accountOf(content), state: "Granted", id: accountID });
  return { ...status, message: reasons.Settled.says, accountID, accounts, endpoint };
}

/** No other is forgotten: each of them is to be taken back in the end. */
function withAccount({ status }: Content, account: BucketContentStatusAccount): readonly BucketContentStatusAccount[] {
  return [...(status?.accounts ?? []).filter(({ name }) => name !== account.name), account];
}

/** The controller's conditions stay as they are. */
function statusWith(content: Content, wishes: readonly ConditionWish[], now: Date): BucketContentStatus {
  const { status } = content;
  const observedGeneration = generationOf(content);
  const conditions = wishes.reduce(
    (before, wish) => withCondition(before, { ...wish, observedGeneration }, now),
    status?.conditions ?? [],
  );
  return { ...status, phase: phaseOf(conditions), conditions, ...defined({ observedGeneration }) };
}

function settled(type: ContentCondition): ConditionWish {
  return { type, status: "True", reason: "Settled", message: reasons.Settled.says };
}

function stageOf({ content, progress }: Seen): ContentCondition {
  if (isGivenUp(content)) return "Released";
  const isMade = content.spec.bucketIdentifier !== undefined || progress.bucket !== undefined;
  return isMade ? "AccessGranted" : "BucketReady";
}
