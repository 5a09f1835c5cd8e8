import { loadTarget, type TargetOptions } from "../kube/config/load-target.ts";
import { openClient } from "../kube/open-client.ts";
import { systemClock } from "../runtime/clock.ts";
import { noticingJumps } from "../runtime/clock-jump.ts";
import type { Endpoint } from "../runtime/flag-values.ts";
import type { ProcessSettings } from "../runtime/flags.ts";
import { readiness, serveHealth } from "../runtime/health.ts";
import { exitOnBug, runProcess } from "../runtime/lifecycle.ts";
import { logTo } from "../runtime/log.ts";
import { type Build, buildInfo, processMetrics } from "../runtime/metrics/build-info.ts";
import { metricsRegistry } from "../runtime/metrics/registry.ts";
import { restClientMetrics } from "../runtime/metrics/rest-client.ts";
import { scheduleFor } from "./certificate/rules.ts";
import { upkeepOf } from "./certificate/upkeep.ts";
import { admissionMetrics } from "./metrics.ts";
import { serveAdmission } from "./server.ts";

/** ServiceAccount, Service, Secret, field manager and User-Agent are all called so. */
const component = "portway-webhook";

export interface WebhookOperation {
  readonly build: Build;
  readonly settings: ProcessSettings;
  readonly endpoint: Endpoint;
  readonly certificateLifetimeSeconds: number;
  readonly shutdownDelaySeconds: number;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
}

/** One replica of the webhook. There is no leader: each answers, and each looks after the certificates. */
export async function operateWebhook(operation: WebhookOperation): Promise<number> {
  const { build, settings, endpoint, env, stop } = operation;
  const log = logTo(process.stderr, { ...settings.log, component });
  exitOnBug(log);
  const target = await loadTarget({ env, ...settings.target });
  const registry = metricsRegistry();
  buildInfo(registry, build);
  processMetrics(registry);
  const client = openClient(target, {
    component,
    version: build.version,
    timeoutSeconds: settings.timeoutSeconds,
    ...restClientMetrics(registry, target.server),
    ...(settings.rate === undefined ? {} : { rate: settings.rate }),
  });
  const metrics = admissionMetrics(registry, () => upkeep.expiry());
  const server = await serveAdmission({ endpoint, metrics, log });
  const upkeep = upkeepOf({
    client,
    clock: noticingJumps(systemClock, log),
    log,
    schedule: scheduleFor(operation.certificateLifetimeSeconds),
    serve: (pair) => server.serve(pair),
  });
  const ready = readiness("it is ending");
  ready.set(true);
  const health = await serveHealth({
    endpoint: settings.httpEndpoint,
    metrics: registry,
    alive: {},
    ready: { process: ready.check, certificate: upkeep.check },
  });
  const looking = new AbortController();
  const looked = upkeep.run(looking.signal);
  return await runProcess({
    log,
    stop,
    ready,
    parts: {
      drainQueue: () => server.close(operation.shutdownDelaySeconds),
      async finishCalls() {
        looking.abort();
        await looked;
      },
      closeClient: () => client.close(),
      closeHealth: () => health.close(),
    },
  });
}
