import { journalOn } from "../../api/transfer/journal.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import { acceptController } from "../accept/controller.ts";
import { type Step as GivenStep, tableFor } from "../given/rules.ts";
import { type Given, observeGiven } from "../given/seen.ts";
import { reportGiven } from "../given/status.ts";
import { actOnGiven } from "../given/steps.ts";
import type { Result, TransferMetrics } from "../metrics.ts";
import { keyOfTransfer } from "../seen.ts";
import { type Claim, claimOf, keyOf, type Volume, type Watches } from "../watches.ts";
import { placesIn } from "./places.ts";
import { offered, type Step } from "./rules.ts";
import { concernsGive, type GiveSettings, type Offered, observeOffer } from "./seen.ts";
import { reportOffer } from "./status.ts";
import { actOnOffer } from "./steps.ts";

/** Over given claims until their volume is locked, over those volumes until somebody has them, and over who waits for one. */
export function giveControllers(
  engine: Engine,
  watches: Watches,
  metrics: TransferMetrics,
  settings: GiveSettings,
): readonly Controller[] {
  return [
    offerLoop(engine, watches, metrics, settings),
    givenLoop(engine, watches, metrics),
    acceptController(engine, watches, settings),
  ];
}

function offerLoop(engine: Engine, watches: Watches, metrics: TransferMetrics, settings: GiveSettings): Controller {
  const { claims, volumes, namespaces, classes } = watches;
  const places = placesIn(watches);
  const holder = (key: string) => `give ${key}`;
  const keysIn = (found: readonly Claim[]) => found.filter(concernsGive).map(keyOf);
  const claimAt = (key: string) => keysIn([claims.get(key)].filter((claim) => claim !== undefined));
  return controllerOn<Offered, Step>(engine, {
    onStep: (step, seconds) => metrics.stepped(step, seconds),
    reconciler: {
      name: "give",
      async observe(key, look) {
        const seen = await observeOffer(watches, settings, key, look);
        if (seen === undefined) metrics.forget(holder(key));
        return seen;
      },
      decide: (seen) => decide(offered, seen),
      act(step, seen, hand) {
        const taken = () => actOnOffer(step, seen, hand);
        return step === "lock-volume" ? places.whileLocking(seen, taken) : taken();
      },
      report(seen, decision) {
        metrics.waits(holder(keyOf(seen.source)), decision);
        return reportOffer(seen, decision);
      },
      operationOf: ({ source }) => source.metadata.uid,
    },
    triggers: [
      trigger(claims, (claim) => keysIn([claim])),
      trigger(volumes, (volume) => [...new Set([claimOf(volume), ...sourceIn(volume)])].flatMap(claimAt)),
      trigger(namespaces, ({ metadata: { name } }) =>
        keysIn([...claims.by("giver", name), ...claims.by("taker", name)]),
      ),
      // Seldom, and any give may depend on it.
      trigger(classes, () => keysIn([...claims.values()])),
    ],
  });
}

const mostWoken = 4;

function givenLoop(engine: Engine, watches: Watches, metrics: TransferMetrics): Controller {
  const { volumes, claims, attachments, namespaces } = watches;
  const keysBy = (index: string, value: string) => volumes.by(index, value).flatMap(keysOfGiven);
  /** Some of those that wait for their turn, whichever: those in front may have nobody who accepts them. */
  const nextInLine = (volume: Volume) => {
    const reading = journalOn(volume);
    if (reading.is !== "give") return [];
    const waiting = volumes.by("released", reading.journal.source.namespace);
    const from = Math.floor(Math.random() * waiting.length);
    return [...waiting.slice(from), ...waiting.slice(0, from)].slice(0, mostWoken).flatMap(keysOfGiven);
  };
  return controllerOn<Given, GivenStep>(engine, {
    onStep: (step, seconds) => metrics.stepped(step, seconds),
    reconciler: {
      name: "given",
      async observe(key, look) {
        const seen = await observeGiven(watches, key, look);
        if (seen === undefined || seen.journal.outcome !== undefined) metrics.forget(key);
        return seen;
      },
      decide: (seen) => decide(tableFor(seen), seen),
      async act(step, seen, hand) {
        const reply = await actOnGiven(step, seen, hand);
        const result = resultOf(step, seen);
        if (result !== undefined) metrics.ended(seen.journal.startedAt, result, seen.now, "annotation");
        return reply;
      },
      report(seen, decision) {
        if (seen.journal.outcome === undefined) metrics.waits(keyOfTransfer(seen.volume, seen.journal), decision);
        return reportGiven(seen, decision);
      },
      operationOf: ({ journal }) => journal.id,
    },
    triggers: [
      trigger(volumes, (volume) => [...keysOfGiven(volume), ...nextInLine(volume)]),
      trigger(claims, (claim) => keysBy("claim", keyOf(claim))),
      trigger(attachments, ({ spec }) => {
        const volume = volumes.get(spec.source.persistentVolumeName ?? "");
        return volume === undefined ? [] : keysOfGiven(volume);
      }),
      trigger(namespaces, ({ metadata }) => keysBy("namespace", metadata.name)),
    ],
  });
}

/** Whoever has the name of the source now may be given next. */
function sourceIn(volume: Volume): readonly string[] {
  const reading = journalOn(volume);
  return reading.is === "give" ? [`${reading.journal.source.namespace}/${reading.journal.source.name}`] : [];
}

function keysOfGiven(volume: Volume): readonly string[] {
  const reading = journalOn(volume);
  return reading.is === "give" ? [keyOfTransfer(volume, reading.journal)] : [];
}

function resultOf(step: GivenStep, { receiver }: Given): Result | undefined {
  if (step === "settle-volume") return receiver?.isTarget === true ? "complete" : "rolled-back";
  if (step === "restore-volume") return "rolled-back";
  return step === "mark-orphaned" ? "orphaned" : undefined;
}
