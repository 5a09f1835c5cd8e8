import { type Bounds, limitParameters, limitsIn } from "../../api/buckets/limits.ts";
import { driverParameters } from "../../api/buckets/parameters.ts";
import type { Reason } from "../../api/reasons.ts";
import { AccessMode } from "../../rpc/gen/buckets_pb.js";
import type { Content } from "../content.ts";
import type { Seen } from "./seen.ts";

/** What a driver is asked, all of it from the content: the same at every try, whatever becomes of the class. */
const modes = { rw: AccessMode.READ_WRITE, ro: AccessMode.READ_ONLY, wo: AccessMode.WRITE_ONLY } as const;

export function accessModeOf({ spec }: Content): AccessMode {
  const [mode] = spec.accessModes ?? [];
  return mode === undefined ? AccessMode.UNSPECIFIED : modes[mode];
}

/** Without what is meant for us. */
export function parametersOf({ spec }: Content): Record<string, string> {
  const all = Object.entries(driverParameters(spec.parameters));
  return Object.fromEntries(all.filter(([name]) => !(name in limitParameters)));
}

export function quotaOf({ spec }: Content): Bounds | undefined {
  const limits = limitsIn(spec.parameters);
  return limits.is === "some" ? limits.bounds : undefined;
}

interface Unsupported {
  readonly why: Reason;
  readonly detail: string;
}

/** Never a silent success: whoever asked for less than everything would get everything. */
export function unsupported({ content, driver }: Pick<Seen, "content" | "driver">): Unsupported | undefined {
  const [mode] = content.spec.accessModes ?? [];
  if ((mode === "ro" || mode === "wo") && !driver.limitsAccess)
    return {
      why: "AccessModeUnsupported",
      detail: `The driver ${driver.name} cannot give keys that are only ${mode}.`,
    };
  const limits = limitsIn(content.spec.parameters);
  if (limits.is === "unclear") return { why: "ParameterUnfit", detail: `The parameter ${limits.why}.` };
  if (limits.is === "some" && content.spec.mode !== "Greenfield")
    return { why: "QuotaUnsupported", detail: "A bucket that was there before keeps the limits that it has." };
  if (limits.is === "some" && !driver.limitsSize)
    return { why: "QuotaUnsupported", detail: `The driver ${driver.name} cannot limit what a bucket holds.` };
  return undefined;
}
