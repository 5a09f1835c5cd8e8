import { defined } from "../api/defined.ts";
import type { Client } from "../kube/client.ts";
import { loadTarget, type TargetOptions } from "../kube/config/load-target.ts";
import { openClient } from "../kube/open-client.ts";
import type { Rate } from "../kube/transport/rate-limit.ts";
import { systemClock } from "./clock.ts";
import { noticingJumps } from "./clock-jump.ts";
import { alwaysLeader, type Election, electOn } from "./election.ts";
import type { Controller, Engine } from "./engine.ts";
import { eventsTo } from "./events.ts";
import type { FeatureGates } from "./feature-gates.ts";
import type { ControllerSettings } from "./flags.ts";
import { readiness, serveHealth } from "./health.ts";
import { exitOnBug, runProcess } from "./lifecycle.ts";
import { type Log, logTo } from "./log.ts";
import { type Build, buildInfo, processMetrics } from "./metrics/build-info.ts";
import { electionMetrics } from "./metrics/election.ts";
import { eventMetrics } from "./metrics/events.ts";
import { metricsRegistry } from "./metrics/registry.ts";
import { restClientMetrics } from "./metrics/rest-client.ts";
import { sourcesOf } from "./sources.ts";

export interface Operation<G extends FeatureGates> {
  /** ServiceAccount, Lease, field manager and User-Agent are all called so. */
  readonly component: string;
  /** Other names, where we take somebody else's place: that of the Lease, and who Events say they are from. */
  readonly calledAs?: { readonly lease: string; readonly events: string };
  readonly build: Build;
  readonly settings: ControllerSettings<G>;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
  readonly controllers: (engine: Engine) => readonly Controller[];
  /** When the lease is ours and before anything is looked at: what whoever led before has left behind. */
  readonly takeOver?: (engine: Engine, signal: AbortSignal) => Promise<void>;
  /** Calls to a driver that are under way, and what is only in memory. */
  readonly finishCalls?: () => Promise<void>;
  /** Rejects when the process has to start anew. */
  readonly broken?: Promise<never>;
}

/** One controller process, from its first request to the release of its lease. Answers the exit code. */
export async function operate<G extends FeatureGates>(operation: Operation<G>): Promise<number> {
  const { component, build, settings, env, stop, broken } = operation;
  const { lease, events: teller } = operation.calledAs ?? { lease: component, events: component };
  const log = logTo(process.stderr, { ...settings.log, component });
  exitOnBug(log);
  const target = await loadTarget({ env, ...settings.target });
  const registry = metricsRegistry();
  buildInfo(registry, build);
  processMetrics(registry);
  const clients: Client[] = [];
  const clientWith = (rate: Rate | undefined) => {
    const opened = openClient(target, {
      component,
      version: build.version,
      timeoutSeconds: settings.timeoutSeconds,
      ...restClientMetrics(registry, target.server),
      ...(rate === undefined ? {} : { rate }),
    });
    clients.push(opened);
    return opened;
  };
  const client = clientWith(settings.rate);
  const leases = openClient(target, { component, version: build.version });
  const election = electionFor(operation, lease, leases, target.namespace, log);
  electionMetrics(registry, lease, election);
  const events = eventsTo({ client, component: teller, log, metrics: eventMetrics(registry) });
  const sources = sourcesOf({ client, log });
  const { workers } = settings;
  const clock = noticingJumps(systemClock, log);
  const { namespace } = target;
  const engine: Engine = { client, clientWith, namespace, sources, election, events, registry, clock, log, workers };
  const controllers = operation.controllers(engine);
  const ready = readiness("it has not begun, or is ending");
  const health = await serveHealth({
    endpoint: settings.httpEndpoint,
    metrics: registry,
    ...defined({ metricsPath: settings.metricsPath }),
    alive: { "leader-election": () => election.trouble() },
    ready: { process: ready.check, caches: () => sources.missing().join(", ") || undefined },
  });
  // Started anew it may; standing there and doing nothing it would look alive.
  const cannotBegin = Promise.withResolvers<never>();
  void begin().catch((problem: unknown) => {
    if (!stop.aborted) cannotBegin.reject(problem);
  });

  /** Caches first: a standby that takes over is at work at once. */
  async function begin(): Promise<void> {
    await sources.untilSynced(stop);
    ready.set(true);
    await election.acquired(stop);
    await operation.takeOver?.(engine, stop);
    for (const controller of controllers) controller.start();
    log.info("at work");
  }

  return await runProcess({
    log,
    stop,
    ready,
    broken: Promise.race([cannotBegin.promise, ...(broken === undefined ? [] : [broken])]),
    parts: {
      stopWatches: () => sources.stop(),
      drainQueue: () => Promise.all(controllers.map(({ loop }) => loop.drained())),
      ...(operation.finishCalls === undefined ? {} : { finishCalls: operation.finishCalls }),
      tellRest: () => events.drained(),
      releaseLease: () => election.release(),
      closeClient: () => Promise.all([...clients, leases].map((one) => one.close())),
      closeHealth: () => health.close(),
    },
  });
}

/** With a client of its own: a renewal must not wait for its turn behind the work that it protects. */
function electionFor<G extends FeatureGates>(
  { settings }: Operation<G>,
  name: string,
  client: Client,
  home: string,
  log: Log,
): Election {
  const { on, namespace = home, identity, durations, labels } = settings.election;
  if (!on) return alwaysLeader();
  // Whatever is under way has no right to go on: not even an orderly end is allowed.
  const onLost = () => process.exit(1);
  return electOn({ client, namespace, name, identity, durations, log, onLost, ...defined({ labels }) });
}
