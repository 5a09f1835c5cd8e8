import { join } from "node:path";
import type { TestContext } from "node:test";
import { connectDriver, type Driver, type DriverOptions } from "../../src/rpc/driver.ts";
import { RpcError } from "../../src/rpc/errors.ts";
import { BucketDriver } from "../../src/rpc/gen/buckets_pb.js";
import { Controller, VolumeCapability_AccessMode_Mode as Mode } from "../../src/rpc/gen/csi_pb.js";
import type { Calls } from "../../src/rpc/grpc.ts";
import { freshCache } from "../fixture/portway.ts";
import { type BucketSettings, startBucketDriver } from "./bucket.ts";
import { type Call, callsIn } from "./calls.ts";
import { type CsiSettings, startCsiDriver } from "./csi.ts";
import { type Script, writeScript } from "./script.ts";
import { callLogOf, type DriverPlace } from "./serve.ts";

/** Where a driver of one test lives; all of it is gone afterwards. */
export interface TestPlace extends DriverPlace {
  readonly script: string;
  /** Holds from the next call on. */
  play(script: Script): void;
  calls(): readonly Call[];
}

export async function freshPlace(t: TestContext): Promise<TestPlace> {
  const directory = await freshCache(t);
  const [script, state] = [join(directory, "script.json"), join(directory, "state")];
  return {
    socket: join(directory, "driver.sock"),
    state,
    script,
    play: (lines) => writeScript(script, lines),
    calls: () => callsIn(callLogOf(state)),
  };
}

export function connected(t: TestContext, options: DriverOptions): Driver {
  const driver = connectDriver(options);
  t.after(() => driver.close());
  return driver;
}

export interface CsiWorld {
  readonly place: TestPlace;
  readonly controller: Calls<typeof Controller>;
}

/** A scripted CSI driver in this process, and the client that ships. */
export async function csiWorld(
  t: TestContext,
  settings: Partial<CsiSettings> = {},
  options: Partial<DriverOptions> = {},
): Promise<CsiWorld> {
  const place = await freshPlace(t);
  const driver = await startCsiDriver(place, settings);
  t.after(() => driver.stop());
  return { place, controller: connected(t, { socket: place.socket, ...options }).calls(Controller) };
}

export interface BucketWorld {
  readonly place: TestPlace;
  readonly driver: Driver;
  readonly buckets: Calls<typeof BucketDriver>;
}

export async function bucketWorld(t: TestContext, settings: Partial<BucketSettings> = {}): Promise<BucketWorld> {
  const place = await freshPlace(t);
  const running = await startBucketDriver(place, settings);
  t.after(() => running.stop());
  const driver = connected(t, { socket: place.socket });
  return { place, driver, buckets: driver.calls(BucketDriver) };
}

/** A request for a volume of 1 GiB. */
export function aVolume(name: string) {
  return {
    name,
    capacityRange: { requiredBytes: 1n << 30n },
    volumeCapabilities: [
      { accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: {} } } as const,
    ],
  };
}

/** The driver's no. A call that works out is a failure of the test. */
export async function noFrom(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call;
  } catch (problem) {
    if (problem instanceof RpcError) return problem;
    throw problem;
  }
  throw new Error("the driver did not refuse");
}
