import { hostname } from "node:os";
import { Failure } from "../api/failure.ts";
import type { TargetOptions } from "../kube/config/load-target.ts";
import { connectDriver } from "../rpc/driver.ts";
import { Controller as ControllerService } from "../rpc/gen/csi_pb.js";
import type { Controller, Engine } from "../runtime/engine.ts";
import type { ControllerSettings } from "../runtime/flags.ts";
import { logTo } from "../runtime/log.ts";
import type { Build } from "../runtime/metrics/build-info.ts";
import { operate } from "../runtime/operate.ts";
import { provisionControllers } from "./controller.ts";
import { intentBook } from "./intents/book.ts";
import { acquaintance, meetDriver } from "./meet-driver.ts";
import { driverMetrics, provisionMetrics } from "./metrics.ts";
import { leaseNameOf } from "./names.ts";
import { type Rights, rightsOf } from "./rights.ts";
import { identityOf, type ProvisionSettings } from "./settings.ts";
import type { Tools } from "./tools.ts";
import { volumeNameOf } from "./volume-name.ts";
import { provisionWatches } from "./watches.ts";

export const gates = {
  // Of age upstream, and yet to be turned off there: so that no vendor's flags keep us from starting, here too.
  Topology: { stage: "Beta", default: true, says: "volumes where their pods can reach them" },
  VolumeAttributesClass: { stage: "Beta", default: true, says: "parameters that can be changed later" },
  HonorPVReclaimPolicy: { stage: "Beta", default: true, says: "taken; a volume's policy always counts" },
  CrossNamespaceVolumeDataSource: { stage: "Alpha", default: false, says: "sources in other namespaces" },
  ReleaseLeaderElectionOnExit: { stage: "Alpha", default: false, says: "taken; the lease is always released" },
} as const;

export interface ProvisionOperation {
  readonly build: Build;
  readonly settings: ControllerSettings<typeof gates>;
  readonly provision: Omit<ProvisionSettings, "identity">;
  readonly env: TargetOptions["env"];
  readonly stop: AbortSignal;
}

const component = "csi-provisioner";

/** The sidecar of one driver, from its first question to the driver to the release of its lease. Answers the exit code. */
export async function operateProvisioner({
  build,
  settings,
  provision,
  env,
  stop,
}: ProvisionOperation): Promise<number> {
  const log = logTo(process.stderr, { ...settings.log, component });
  let onCall: ReturnType<typeof driverMetrics> | undefined;
  const driver = connectDriver({
    socket: provision.socket,
    timeoutSeconds: provision.timeoutSeconds,
    log: (said) => log.debug(5, "the driver was called", { ...said }),
    onCall: (call) => onCall?.(call),
  });
  const facts = await meetDriver(driver, log, stop);
  log.info("the driver is ready", { driver: facts.name, version: facts.vendorVersion ?? "" });
  mustBeAName(provision);
  const broken = Promise.withResolvers<never>();
  // Whoever runs the process hears of it; nobody has to listen.
  broken.promise.catch(() => undefined);
  const whole: ProvisionSettings = { ...provision, identity: identityOf(facts.name, new Date()) };
  let tools: Tools | undefined;
  let rights: Rights = { protectSnapshots: false, readAttributes: false };

  /** Made when the lease is ours: what is left of whoever led before is read then, and not earlier. */
  function controllersOn(engine: Engine): readonly Controller[] {
    onCall = driverMetrics(engine.registry, () => facts.name);
    const made: Tools = {
      facts,
      settings: whole,
      controller: driver.calls(ControllerService),
      acquaintance: acquaintance(facts, () => meetDriver(driver, log, stop), broken.reject),
      watches: provisionWatches(engine.sources, facts),
      book: intentBook({
        client: engine.client,
        namespace: settings.election.namespace ?? engine.namespace,
        name: `${leaseNameOf(facts.name)}-intents`,
        holdsLease: () => engine.election.holdsWithMargin(),
        log,
      }),
      rights: () => rights,
      metrics: provisionMetrics(engine.registry),
      volumeName: (uid) => nameFor(whole, uid),
      term: () => engine.election.term(),
    };
    tools = made;
    return provisionControllers(engine, made, stop);
  }

  try {
    return await operate({
      component,
      calledAs: { lease: leaseNameOf(facts.name), events: `${facts.name}_${hostname()}_${whole.identity}` },
      build,
      settings,
      env,
      stop,
      broken: broken.promise,
      controllers: controllersOn,
      async takeOver({ client }, signal) {
        rights = await rightsOf(client, log);
        await tools?.book.load(signal);
      },
      finishCalls: async () => await tools?.book.stored(),
    });
  } finally {
    driver.close();
  }
}

/** Found out here, and not when the first claim comes. */
function mustBeAName(settings: Omit<ProvisionSettings, "identity">): void {
  nameFor(settings, "00000000-0000-0000-0000-000000000000");
}

function nameFor(settings: Omit<ProvisionSettings, "identity">, uid: string): string {
  const judged = volumeNameOf(settings, uid);
  if (judged.is === "fine") return judged.value;
  throw new Failure(judged.because, "Start the provisioner with other flags.", { exitCode: 2 });
}
