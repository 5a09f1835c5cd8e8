import type { GetDriverInfoResponse } from "../../rpc/gen/buckets_pb.js";
import { Capability } from "../../rpc/gen/buckets_pb.js";
import type { Result } from "./run.ts";

const widest = 38;

/** One line, and for what failed three more: what was expected, what came, and what to do. */
export function linesOf(result: Result): string {
  const title = `${result.name.padEnd(widest)} ${result.says}`;
  if (result.result === "ok") return `ok    ${title}`;
  if (result.result === "untried") return `-     ${title} Not tried: ${result.why}.`;
  const { expected, came, next } = result;
  return [`FAIL  ${title}`, `      expected  ${expected}`, `      came      ${came}`, `      next      ${next}`].join(
    "\n",
  );
}

export function headlineOf(info: GetDriverInfoResponse): string {
  const { name, version, protocols } = info;
  const can = [...protocols, ...capabilitiesOf(info)].join(", ");
  return `${name} ${version} (${can})`;
}

export function summaryOf(results: readonly Result[]): string {
  const count = (wanted: Result["result"]) => results.filter(({ result }) => result === wanted).length;
  const [ok, failed, untried] = [count("ok"), count("failed"), count("untried")];
  return `${ok + failed} checks: ${ok} ok, ${failed} failed${untried === 0 ? "" : `; ${untried} not tried`}`;
}

export function reportOf(info: GetDriverInfoResponse, checks: readonly Result[]): string {
  const { name: driver, version, protocols } = info;
  return JSON.stringify({ driver, version, protocols, capabilities: capabilitiesOf(info), checks }, null, 2);
}

function capabilitiesOf({ capabilities }: GetDriverInfoResponse): readonly string[] {
  return capabilities.map((one) => Capability[one] ?? String(one));
}
