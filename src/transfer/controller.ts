import { anyJournalOn, journalOn } from "../api/transfer/journal.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../runtime/engine.ts";
import { decide, refuse } from "../runtime/table.ts";
import { giveControllers } from "./give/controller.ts";
import { type Result, type TransferMetrics, transferMetrics } from "./metrics.ts";
import { type PodWatch, podWatch } from "./pod-watch.ts";
import { type Step as ProposalStep, proposed } from "./proposal/rules.ts";
import { holderOf, observeProposal, type Proposed } from "./proposal/seen.ts";
import { failsNow, movesNow, reportProposal } from "./proposal/status.ts";
import { actOnProposal } from "./proposal/steps.ts";
import { type Step, tableFor } from "./rules.ts";
import { keyOfTransfer, observeUnderWay, type UnderWay } from "./seen.ts";
import { type Step as PolicyStep, standing } from "./standing/rules.ts";
import { observePolicy, type SeenPolicy } from "./standing/seen.ts";
import { reportPolicy } from "./standing/status.ts";
import { actOnPolicy } from "./standing/steps.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";
import { claimOf, keyOf, transferWatches, type Volume, type Watches } from "./watches.ts";

export interface TransferOptions {
  /** Off: nothing new begins, and what has begun is finished. */
  readonly transfersAreOn: boolean;
  /** How many gives of one namespace may wait for somebody. */
  readonly mostPending: number;
}

/**
 * For each door two loops: over wishes until their volume is locked, and over locked volumes until they have arrived. And one
 * over policies, to give back what was taken of them in vain.
 */
export function transferControllers(engine: Engine, options: TransferOptions): readonly Controller[] {
  const { transfersAreOn } = options;
  const watches = transferWatches(engine.sources);
  const metrics = transferMetrics(engine.registry, () => [...watches.volumes.values()].filter(isLive).length);
  const pods = podWatch(engine.sources, (holder) => wake(holder));
  const proposals = proposalLoop(engine, watches, pods, metrics, transfersAreOn);
  const transfers = transferLoop(engine, watches, pods, metrics);

  function wake(holder: string): void {
    if (holder.startsWith(holderOf(""))) proposals.loop.queue.add(holder.slice(holderOf("").length));
    else transfers.loop.queue.add(holder);
  }

  return [
    proposals,
    transfers,
    policyLoop(engine, watches, metrics),
    ...giveControllers(engine, watches, metrics, options),
  ];
}

function isLive(volume: Volume): boolean {
  const journal = anyJournalOn(volume);
  return journal !== undefined && journal.outcome === undefined;
}

function proposalLoop(
  engine: Engine,
  watches: Watches,
  pods: PodWatch,
  metrics: TransferMetrics,
  transfersAreOn: boolean,
): Controller {
  const { requests, claims, volumes, approvals, policies, attachments, classes, namespaces } = watches;
  const keysBy = (index: string, value: string) => requests.by(index, value).map(keyOf);
  const ofClaim = (place: string) => [...keysBy("source", place), ...keysBy("target", place)];
  return controllerOn<Proposed, ProposalStep>(engine, {
    onStep: (step, seconds) => metrics.stepped(step, seconds),
    reconciler: {
      name: "transfer-request",
      async observe(key, look) {
        const seen = await observeProposal(watches, pods, transfersAreOn, key, look);
        // Under way, its volume waits; gone, nobody does.
        if (seen === undefined || seen.journal !== undefined) metrics.forget(holderOf(key));
        return seen;
      },
      decide: (seen) => decide(proposed, seen),
      async act(step, seen, hand) {
        const reply = await actOnProposal(step, seen, hand);
        // With that an empty claim has moved; where there is a volume, its own loop counts.
        if (step === "consume-approval" || step === "end-move")
          metrics.ended(seen.target?.metadata.creationTimestamp, "complete", seen.now);
        return reply;
      },
      report(seen, decision) {
        if (seen.journal === undefined) metrics.waits(holderOf(keyOf(seen.request)), decision);
        if (movesNow(seen)) metrics.ended(seen.target?.metadata.creationTimestamp, "complete", seen.now);
        if (failsNow(seen, decision)) metrics.ended(undefined, "failed", seen.now);
        return reportProposal(seen, decision);
      },
      operationOf: ({ request }) => request.metadata.uid,
    },
    triggers: [
      trigger(requests, (request) => [keyOf(request)]),
      // One that is used frees its source for others.
      trigger(approvals, ({ metadata, spec }) => [
        `${spec.targetNamespace}/${spec.requestName}`,
        ...keysBy("source", `${metadata.namespace ?? ""}/${spec.source.name}`),
      ]),
      // Any request for a claim of its namespace may be covered by it, or wait for a use that comes back.
      trigger(policies, ({ metadata }) => keysBy("namespace", metadata.namespace ?? "")),
      trigger(claims, (claim) => ofClaim(keyOf(claim))),
      trigger(volumes, (volume) => ofClaim(claimOf(volume))),
      trigger(attachments, ({ spec }) => {
        const volume = volumes.get(spec.source.persistentVolumeName ?? "");
        return volume === undefined ? [] : ofClaim(claimOf(volume));
      }),
      trigger(namespaces, ({ metadata }) => keysBy("namespace", metadata.name)),
      // Seldom, and any request may depend on it.
      trigger(classes, () => [...requests.values()].map(keyOf)),
    ],
  });
}

function transferLoop(engine: Engine, watches: Watches, pods: PodWatch, metrics: TransferMetrics): Controller {
  const { volumes, claims, requests, approvals, policies, attachments, namespaces } = watches;
  const keysBy = (index: string, value: string) => volumes.by(index, value).flatMap(keysOfVolume);
  return controllerOn<UnderWay, Step>(engine, {
    onStep: (step, seconds) => metrics.stepped(step, seconds),
    reconciler: {
      name: "transfer",
      async observe(key, look) {
        const seen = await observeUnderWay(watches, pods, key, look);
        if (seen?.journal.outcome !== undefined || seen === undefined) metrics.forget(key);
        return seen;
      },
      decide: (seen) => decide(tableFor(seen), seen),
      async act(step, seen, hand) {
        const reply = await act(step, seen, hand);
        const result = endings[step];
        if (result !== undefined) metrics.ended(seen.journal.startedAt, result, seen.now);
        return reply;
      },
      report(seen, decision) {
        if (seen.journal.outcome === undefined) metrics.waits(keyOfTransfer(seen.volume, seen.journal), decision);
        return report(seen, decision);
      },
      refusal: (step, _, problem) =>
        refuse(step === "reserve-target" ? "TargetRefused" : "RefusedByServer", problem.message),
      operationOf: ({ journal }) => journal.id,
    },
    triggers: [
      trigger(volumes, keysOfVolume),
      trigger(claims, (claim) => keysBy("claim", keyOf(claim))),
      trigger(requests, ({ metadata }) => keysBy("request", metadata.uid)),
      trigger(approvals, ({ metadata }) => keysBy("approval", metadata.uid)),
      trigger(policies, ({ metadata }) => keysBy("policy", metadata.uid)),
      trigger(attachments, ({ spec }) => {
        const volume = volumes.get(spec.source.persistentVolumeName ?? "");
        return volume === undefined ? [] : keysOfVolume(volume);
      }),
      trigger(namespaces, ({ metadata }) => keysBy("namespace", metadata.name)),
    ],
  });
}

function policyLoop(engine: Engine, watches: Watches, metrics: TransferMetrics): Controller {
  const { policies, requests, volumes } = watches;
  const keysBy = (index: string, value: string) => policies.by(index, value).map(keyOf);
  return controllerOn<SeenPolicy, PolicyStep>(engine, {
    onStep: (step, seconds) => metrics.stepped(step, seconds),
    reconciler: {
      name: "transfer-policy",
      observe: async (key, look) => observePolicy(watches, key, look),
      decide: (seen) => decide(standing, seen),
      act: actOnPolicy,
      report: reportPolicy,
    },
    triggers: [
      trigger(policies, (policy) => [keyOf(policy)]),
      trigger(requests, ({ metadata }) => keysBy("request", metadata.uid)),
      // What ends one transfer may show that the use of another was in vain.
      trigger(volumes, (volume) => {
        const reading = journalOn(volume);
        const ofRequest = reading.is === "journal" ? keysBy("request", reading.journal.request.uid) : [];
        return [...ofRequest, ...keysBy("source", anyJournalOn(volume)?.source.uid ?? "")];
      }),
    ],
  });
}

const endings: Partial<Readonly<Record<Step, Result>>> = {
  "settle-volume": "complete",
  "restore-volume": "rolled-back",
  "mark-orphaned": "orphaned",
};

function keysOfVolume(volume: Volume): readonly string[] {
  const reading = journalOn(volume);
  return reading.is === "journal" ? [keyOfTransfer(volume, reading.journal)] : [];
}
