import { leaseName } from "../../api/buckets/names.ts";
import { Failure } from "../../api/failure.ts";
import type { COSIRegistrationSpec } from "../../api/gen/cosi.ts";
import type { TargetOptions } from "../../kube/config/load-target.ts";
import { acquaintanceBy } from "../../rpc/acquaintance.ts";
import { connectDriver, type Driver, type Said } from "../../rpc/driver.ts";
import { RpcError } from "../../rpc/errors.ts";
import { BucketDriver } from "../../rpc/gen/buckets_pb.js";
import type { ControllerSettings } from "../../runtime/flags.ts";
import { type Log, logTo } from "../../runtime/log.ts";
import type { Build } from "../../runtime/metrics/build-info.ts";
import { operate } from "../../runtime/operate.ts";
import { type ContentController, contentController } from "./controller.ts";
import { type DriverFacts, factsOf } from "./driver-facts.ts";
import { sidecarMetrics } from "./metrics.ts";
import { deregister, registryOn } from "./registration/controller.ts";
import type { Tools } from "./tools.ts";

export interface SidecarOperation {
  readonly build: Build;
  readonly settings: ControllerSettings<Record<string, never>>;
  readonly socket: string;
  /** Who we are among those who may claim the driver's name: the same after a restart and in every replica. */
  readonly instanceID: string | undefined;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
}

const component = "cosi-sidecar";
const callVerbosity = 5;
const wire = "portway.buckets.v1alpha1";

/** The sidecar of one bucket driver, from its first question to the driver to the release of its lease. Answers the exit code. */
export async function operateSidecar({ build, settings, socket, instanceID, env, stop }: SidecarOperation) {
  const log = logTo(process.stderr, { ...settings.log, component });
  let contents: ContentController | undefined;
  let tools: Tools | undefined;
  const driver = connectDriver({
    socket,
    ...(settings.log.verbosity < callVerbosity
      ? {}
      : { log: (said: Said) => log.debug(callVerbosity, "the driver was called", { ...said }) }),
    onLost: () => tools?.acquaintance.lost(),
  });
  const broken = Promise.withResolvers<never>();
  // It is for whoever runs the process; until somebody listens it is no bug that nobody does.
  broken.promise.catch(() => undefined);
  try {
    const facts = await meet(driver, log, stop);
    log.info("the driver is ready", { driver: facts.name, version: facts.version });
    let leave: (() => Promise<void>) | undefined;
    return await operate({
      component,
      calledAs: { lease: leaseName(facts.name), events: component },
      build,
      settings,
      env,
      stop,
      broken: broken.promise,
      controllers(engine) {
        const wished = registrationOf(facts, settings.election.namespace ?? engine.namespace, instanceID);
        // A replica that never led has registered nothing.
        leave = async () => (engine.election.holdsWithMargin() ? await deregister(engine.client, wished) : undefined);
        const acquaintance = acquaintanceBy(async () => {
          requireSame(facts, factsOf(await driver.calls(BucketDriver).getDriverInfo({})), broken.reject);
          contents?.driverIsBack();
        });
        tools = {
          calls: driver.calls(BucketDriver),
          facts,
          acquaintance,
          home: engine.namespace,
          called: sidecarMetrics(engine.registry, facts.name),
        };
        const registry = registryOn(engine, wished, broken.reject);
        contents = contentController(engine, tools, registry);
        return [registry.controller, contents];
      },
      finishCalls: async () => await leave?.(),
    });
  } finally {
    driver.close();
  }
}

function registrationOf(facts: DriverFacts, namespace: string, instanceID: string | undefined): COSIRegistrationSpec {
  const { name: driverName, protocols, capabilities, version } = facts;
  return {
    driverName,
    instanceID: instanceID ?? `${namespace}/${component}`,
    namespace,
    leaseName: leaseName(driverName),
    wire: [wire],
    ...(protocols.length === 0 ? {} : { protocols }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(version === "" ? {} : { version }),
  };
}

/** Waits for a driver that is still starting; whatever else it answers ends the process. */
async function meet(driver: Driver, log: Log, stop: AbortSignal): Promise<DriverFacts> {
  const { getDriverInfo } = driver.calls(BucketDriver);
  for (;;) {
    try {
      return factsOf(await getDriverInfo({}));
    } catch (problem) {
      if (!(problem instanceof RpcError && ["DEADLINE_EXCEEDED", "UNAVAILABLE"].includes(problem.code))) throw problem;
      stop.throwIfAborted();
      log.debug(2, "the driver is not ready yet");
    }
  }
}

function requireSame(met: DriverFacts, now: DriverFacts, onOther: (failure: Failure) => void): void {
  if (now.name === met.name && now.capabilities.join() === met.capabilities.join()) return;
  const why = `The driver ${met.name} has come back as ${now.name}, or can do other things than before`;
  const failure = new Failure(why, "The sidecar starts again and asks it anew.");
  onOther(failure);
  throw failure;
}
