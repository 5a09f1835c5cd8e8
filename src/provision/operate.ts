import { hostname } from "node:os";
import { Failure } from "../api/failure.ts";
import type { TargetOptions } from "../kube/config/load-target.ts";
import { connectDriver, type Said } from "../rpc/driver.ts";
import type { ControllerSettings } from "../runtime/flags.ts";
import { logTo } from "../runtime/log.ts";
import type { Build } from "../runtime/metrics/build-info.ts";
import { operate } from "../runtime/operate.ts";
import { provisionControllers } from "./controller.ts";
import type { DriverFacts } from "./driver-facts.ts";
import type { gates } from "./gates.ts";
import { makeTools } from "./make-tools.ts";
import { meetDriver } from "./meet-driver.ts";
import { driverMetrics } from "./metrics.ts";
import { leaseNameOf } from "./names.ts";
import { type Rights, rightsOf } from "./rights.ts";
import { identityOf, type ProvisionSettings } from "./settings.ts";
import type { Tools } from "./tools.ts";
import { volumeNameOf } from "./volume-name.ts";

export interface ProvisionOperation {
  readonly build: Build;
  readonly settings: ControllerSettings<typeof gates>;
  readonly provision: Omit<ProvisionSettings, "identity">;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
}

const component = "csi-provisioner";
/** As external-provisioner: every call to the driver is told at this level. */
const callVerbosity = 5;

/** The sidecar of one driver, from its first question to the driver to the release of its lease. Answers the exit code. */
export async function operateProvisioner(operation: ProvisionOperation): Promise<number> {
  const { build, settings, provision, env, stop } = operation;
  const volumeName = naming(provision);
  const log = logTo(process.stderr, { ...settings.log, component });
  let onCall: ReturnType<typeof driverMetrics> | undefined;
  let tools: Tools | undefined;
  let wasLost = false;
  const driver = connectDriver({
    socket: provision.socket,
    timeoutSeconds: provision.timeoutSeconds,
    // To make a message readable costs as much as to send it: only where it is read.
    ...(settings.log.verbosity < callVerbosity
      ? {}
      : { log: (said: Said) => log.debug(callVerbosity, "the driver was called", { ...said }) }),
    onCall: (call) => onCall?.(call),
    onLost() {
      wasLost = true;
      tools?.acquaintance.lost();
    },
  });
  const meet = async () => asGated(await meetDriver(driver, log, stop), settings);
  const facts = await meet();
  log.info("the driver is ready", { driver: facts.name, version: facts.vendorVersion ?? "" });
  const identity = identityOf(facts.name, new Date());
  const other = Promise.withResolvers<never>();
  // It is for whoever runs the process; until somebody listens it is no bug that nobody does.
  other.promise.catch(() => undefined);
  let rights: Rights = { protectSnapshots: false, readAttributes: false };
  try {
    return await operate({
      component,
      calledAs: { lease: leaseNameOf(facts.name), events: `${facts.name}_${hostname()}_${identity}` },
      build,
      settings,
      env,
      stop,
      broken: other.promise,
      controllers(engine) {
        onCall = driverMetrics(engine.registry, () => facts.name);
        const made = makeTools(engine, {
          driver,
          facts,
          meet,
          settings: { ...provision, identity },
          volumeName,
          rights: () => rights,
          home: settings.election.namespace ?? engine.namespace,
          pod: { name: env["POD_NAME"] ?? "", namespace: env["NAMESPACE"] ?? "" },
          onOther: other.reject,
        });
        tools = made.tools;
        if (wasLost) tools.acquaintance.lost();
        const more = made.capacity === undefined ? [] : [made.capacity];
        return [...provisionControllers(engine, made.tools, stop), ...more];
      },
      async takeOver({ client }, signal) {
        const found = await rightsOf(client, log);
        rights = { ...found, readAttributes: found.readAttributes && settings.gates.VolumeAttributesClass };
        await tools?.book.load(signal);
      },
      finishCalls: async () => await tools?.book.stored(),
    });
  } finally {
    driver.close();
  }
}

/** Without topology the driver is asked for volumes as if every node could reach them. */
function asGated(facts: DriverFacts, { gates: { Topology } }: ProvisionOperation["settings"]): DriverFacts {
  const plugin = [...facts.plugin].filter((service) => Topology || service !== "VOLUME_ACCESSIBILITY_CONSTRAINTS");
  return { ...facts, plugin: new Set(plugin) };
}

/** A name that the server does not take is found out here, and not when the first claim comes. */
function naming(settings: Omit<ProvisionSettings, "identity">): (claimUid: string) => string {
  const named = (uid: string) => {
    const judged = volumeNameOf(settings, uid);
    if (judged.is === "fine") return judged.value;
    throw new Failure(judged.because, "Start the provisioner with other flags.", { exitCode: 2 });
  };
  named("00000000-0000-0000-0000-000000000000");
  return named;
}
