import { Failure } from "../../api/failure.ts";
import type { Driver } from "../../rpc/driver.ts";
import { RpcError } from "../../rpc/errors.ts";
import { BucketDriver } from "../../rpc/gen/buckets_pb.js";
import type { Log } from "../../runtime/log.ts";
import { type DriverFacts, factsOf } from "./driver-facts.ts";

/** Whoever asks us to stop meanwhile waits no longer than this. */
const patience = { timeoutSeconds: 1 } as const;
const notYet: readonly string[] = ["DEADLINE_EXCEEDED", "UNAVAILABLE"];

/** Waits for a driver that is still starting; undefined when we are to stop first. Whatever else it answers ends the process. */
export async function meetDriver(driver: Driver, log: Log, stop: AbortSignal): Promise<DriverFacts | undefined> {
  while (!stop.aborted) {
    try {
      return factsOf(await driver.calls(BucketDriver).getDriverInfo({}, patience));
    } catch (problem) {
      if (!(problem instanceof RpcError && notYet.includes(problem.code))) throw problem;
      log.debug(2, "the driver is not ready yet");
    }
  }
  return undefined;
}

/** What it says after its connection was lost. Under another name, or with other abilities, it is not the driver we know. */
export async function meetAgain(
  driver: Driver,
  met: DriverFacts,
  onOther: (failure: Failure) => void,
): Promise<DriverFacts> {
  try {
    return sameAs(met, factsOf(await driver.calls(BucketDriver).getDriverInfo({})));
  } catch (problem) {
    if (problem instanceof Failure) onOther(problem);
    throw problem;
  }
}

/** A newer version that can do the same is the same driver. */
function sameAs(met: DriverFacts, now: DriverFacts): DriverFacts {
  if (now.name === met.name && now.capabilities.join() === met.capabilities.join()) return now;
  throw new Failure(
    `The driver ${met.name} has come back as ${now.name}, or can do other things than before`,
    "The sidecar starts again and asks it anew.",
  );
}
