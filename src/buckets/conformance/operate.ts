import { Failure, misuse } from "../../api/failure.ts";
import { addressOf } from "../../rpc/address.ts";
import { channelTo } from "../../rpc/channel.ts";
import { connectDriver } from "../../rpc/driver.ts";
import { RpcError } from "../../rpc/errors.ts";
import { BucketDriver, type GetDriverInfoResponse } from "../../rpc/gen/buckets_pb.js";
import type { Calls } from "../../rpc/grpc.ts";
import { allChecks } from "./checks/all.ts";
import { runChecks } from "./run.ts";
import { headlineOf, linesOf, reportOf, summaryOf } from "./words.ts";

export interface ConformanceOperation {
  readonly address: string;
  readonly output: "text" | "json";
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the keys are tried on the store, which must then be reached from here. */
  readonly asksStore: boolean;
  /** Of each call, and of each request to the store. */
  readonly timeoutSeconds: number;
  readonly print: (text: string) => void;
  readonly stop: AbortSignal;
}

/** Tries everything on a live driver, and answers the exit code. */
export async function operateConformance(operation: ConformanceOperation): Promise<number> {
  const { address, output, parameters, asksStore, timeoutSeconds, print, stop } = operation;
  requireAddress(address);
  const driver = connectDriver({ socket: address, timeoutSeconds });
  const raw = channelTo(address);
  try {
    const calls = driver.calls(BucketDriver);
    const info = await introduced(calls, address);
    const inText = output === "text";
    if (inText) print(headlineOf(info));
    const trial = { calls, info, parameters, asksStore, timeoutSeconds, raw };
    const results = await runChecks(trial, allChecks, stop, (one) => (inText ? print(linesOf(one)) : undefined));
    print(inText ? summaryOf(results) : reportOf(info, results));
    return results.some(({ result }) => result === "failed") ? 1 : 0;
  } finally {
    raw.close();
    driver.close();
  }
}

/** Nothing was tried, and that is told apart from a driver that fails. */
function requireAddress(address: string): void {
  try {
    addressOf(address);
  } catch (problem) {
    throw problem instanceof Failure ? misuse(problem.message, problem.next) : problem;
  }
}

async function introduced(calls: Calls<typeof BucketDriver>, address: string): Promise<GetDriverInfoResponse> {
  try {
    return await calls.getDriverInfo({});
  } catch (problem) {
    if (!(problem instanceof RpcError)) throw problem;
    throw new Failure(
      `no bucket driver answers at ${address}: ${problem.details} (${problem.code})`,
      "Start the driver, and give its address in --driver-address.",
      { exitCode: 2 },
    );
  }
}
