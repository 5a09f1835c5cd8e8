import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../api/failure.ts";
import { type Acquaintance, acquaintanceBy } from "../rpc/acquaintance.ts";
import type { Driver } from "../rpc/driver.ts";
import { RpcError } from "../rpc/errors.ts";
import { Controller, Identity } from "../rpc/gen/csi_pb.js";
import type { Log } from "../runtime/log.ts";
import { type DriverFacts, factsOf } from "./driver-facts.ts";

const probeSeconds = 1;

/** Waits until the driver says that it is ready, and asks what it can do. Whatever else it answers ends the process. */
export async function meetDriver(driver: Driver, log: Log, stop: AbortSignal): Promise<DriverFacts> {
  const identity = driver.calls(Identity);
  while (!(await isReady(driver))) {
    log.debug(2, "the driver is not ready yet");
    await sleep(probeSeconds * 1000, undefined, { signal: stop });
  }
  const info = await identity.getPluginInfo({});
  const facts = factsOf(
    info,
    await identity.getPluginCapabilities({}),
    await driver.calls(Controller).controllerGetCapabilities({}),
  );
  if (!facts.plugin.has("CONTROLLER_SERVICE"))
    throw new Failure(
      `The driver ${facts.name} has no controller service`,
      "Run the provisioner beside the controller plug-in.",
    );
  return facts;
}

async function isReady(driver: Driver): Promise<boolean> {
  try {
    const { ready } = await driver.calls(Identity).probe({});
    return ready !== false;
  } catch (problem) {
    if (problem instanceof RpcError && ["DEADLINE_EXCEEDED", "UNAVAILABLE"].includes(problem.code)) return false;
    throw problem;
  }
}

export function acquaintance(
  met: DriverFacts,
  meet: () => Promise<DriverFacts>,
  onOther: (failure: Failure) => void,
): Acquaintance {
  return acquaintanceBy(async () => {
    const now = await meet();
    if (isDeepStrictEqual({ ...now, vendorVersion: "" }, { ...met, vendorVersion: "" })) return;
    const why = `The driver ${met.name} has come back as ${now.name}, or can do other things than before`;
    const failure = new Failure(why, "The provisioner starts again and asks it anew.");
    onOther(failure);
    throw failure;
  });
}
