import { leaseName } from "../../api/buckets/names.ts";
import type { COSIRegistrationSpec } from "../../api/gen/cosi.ts";
import type { TargetOptions } from "../../kube/config/load-target.ts";
import { acquaintanceBy } from "../../rpc/acquaintance.ts";
import { connectDriver, type Said } from "../../rpc/driver.ts";
import { BucketDriver } from "../../rpc/gen/buckets_pb.js";
import type { ControllerSettings } from "../../runtime/flags.ts";
import { logTo } from "../../runtime/log.ts";
import type { Build } from "../../runtime/metrics/build-info.ts";
import { operate } from "../../runtime/operate.ts";
import { type ContentController, contentController } from "./controller.ts";
import type { DriverFacts } from "./driver-facts.ts";
import { meetAgain, meetDriver } from "./meet-driver.ts";
import { sidecarMetrics } from "./metrics.ts";
import { deregister, registryOn } from "./registration/controller.ts";
import type { Tools } from "./tools.ts";

export interface SidecarOperation {
  readonly build: Build;
  readonly settings: ControllerSettings<Record<string, never>>;
  readonly socket: string;
  /** Who we are among those who may claim the driver's name: the same after a restart and in every replica. */
  readonly instanceID: string | undefined;
  /** Of each call that changes something in the driver. */
  readonly timeoutSeconds: number;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
}

const component = "cosi-sidecar";
const callVerbosity = 5;
const wire = "portway.buckets.v1alpha1";

/** The sidecar of one bucket driver, from its first question to the driver to the release of its lease. Answers the exit code. */
export async function operateSidecar(operation: SidecarOperation): Promise<number> {
  const { build, settings, socket, instanceID, timeoutSeconds, env, stop } = operation;
  const log = logTo(process.stderr, { ...settings.log, component });
  let contents: ContentController | undefined;
  let tools: Tools | undefined;
  /** A driver that says that its store is away was not away itself, and nothing speaks for asking it sooner. */
  let wasLost = false;
  const driver = connectDriver({
    socket,
    ...(settings.log.verbosity < callVerbosity
      ? {}
      : { log: (said: Said) => log.debug(callVerbosity, "the driver was called", { ...said }) }),
    onLost() {
      wasLost = true;
      tools?.acquaintance.lost();
    },
  });
  const broken = Promise.withResolvers<never>();
  // It is for whoever runs the process; until somebody listens it is no bug that nobody does.
  broken.promise.catch(() => undefined);
  try {
    const facts = await meetDriver(driver, log, stop);
    if (facts === undefined) return 0;
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
        const home = settings.election.namespace ?? engine.namespace;
        const wished = registrationOf(facts, home, instanceID);
        // A replica that never led has registered nothing.
        leave = async () => (engine.election.holdsWithMargin() ? await deregister(engine.client, wished) : undefined);
        const acquaintance = acquaintanceBy(async () => {
          const now = await meetAgain(driver, facts, broken.reject);
          registry.wish(registrationOf(now, home, instanceID));
          if (wasLost) contents?.driverIsBack();
          wasLost = false;
        });
        tools = {
          calls: driver.calls(BucketDriver),
          call: { timeoutSeconds },
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
