import { accountName } from "../../api/buckets/names.ts";
import { driverParameters } from "../../api/buckets/parameters.ts";
import { thousandthsOf } from "../../api/quantity.ts";
import type { Reason } from "../../api/reasons.ts";
import { AccessMode } from "../../rpc/gen/buckets_pb.js";
import type { Content } from "../content.ts";
import type { Seen } from "./seen.ts";

/** What a driver is asked, all of it from the content: the same at every try, whatever becomes of the class. */
const sizes = { maxSizePerBucket: "maxBytes", maxObjectsPerBucket: "maxObjects" } as const;

const modes = { rw: AccessMode.READ_WRITE, ro: AccessMode.READ_ONLY, wo: AccessMode.WRITE_ONLY } as const;

export function accessModeOf({ spec }: Content): AccessMode {
  const [mode] = spec.accessModes ?? [];
  return mode === undefined ? AccessMode.UNSPECIFIED : modes[mode];
}

/** Without what is meant for us. */
export function parametersOf({ spec }: Content): Record<string, string> {
  const all = Object.entries(driverParameters(spec.parameters));
  return Object.fromEntries(all.filter(([name]) => !(name in sizes)));
}

export function quotaOf({ spec }: Content): { readonly maxBytes?: bigint; readonly maxObjects?: bigint } | undefined {
  const bounds = Object.entries(sizes).flatMap(([name, field]) => {
    const thousandths = thousandthsOf(spec.parameters?.[name]);
    return thousandths === undefined ? [] : [[field, thousandths / 1000n] as const];
  });
  return bounds.length === 0 ? undefined : Object.fromEntries(bounds);
}

/** A second account would be a second key to take back; there is one until keys are rotated. */
export function accountOf({ metadata }: Content): string {
  return accountName(metadata.uid, 0);
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
  const unreadable = Object.keys(sizes).filter((name) => isUnreadable(content.spec.parameters?.[name]));
  if (unreadable.length > 0)
    return {
      why: "DriverRefused",
      detail: `The parameter ${unreadable.join(" and ")} is no whole quantity above zero.`,
    };
  if (quotaOf(content) !== undefined && !driver.limitsSize)
    return { why: "QuotaUnsupported", detail: `The driver ${driver.name} cannot limit what a bucket holds.` };
  return undefined;
}

function isUnreadable(quantity: string | undefined): boolean {
  if (quantity === undefined) return false;
  const thousandths = thousandthsOf(quantity);
  return thousandths === undefined || thousandths < 1000n || thousandths % 1000n !== 0n;
}
