import { defined } from "../../api/defined.ts";
import { misuse } from "../../api/failure.ts";
import type { StorageTransferRequestSpecOptions } from "../../api/gen/transfer.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import type { FlagValues } from "../command.ts";
import { oneOf } from "../kubectl/flags.ts";
import { freshEnding, nameOf, placeOf } from "../kubectl/names.ts";
import type { Handshake } from "./handshake.ts";

export const requestFlags = {
  "request-name": { says: "the request's name (transfer-NAME)", value: "NAME" },
  "approval-name": { says: "the name that the approval must have (approve-NAME-, and some letters)", value: "NAME" },
  "when-unbound": { says: "wait for a volume, or move the empty claim (Wait)", value: "Wait|Move" },
  "when-in-use": { says: "wait until no pod uses it, or give up (Wait)", value: "Wait|Fail" },
  "allow-source-secrets": { says: "move it although its driver reads Secrets of the source namespace" },
  ttl: { says: "delete the finished request after this time", value: "DURATION" },
} as const;

type Values = FlagValues<typeof requestFlags>;

export function optionsOf(flags: Values): StorageTransferRequestSpecOptions {
  const { "when-unbound": unbound, "when-in-use": inUse, ttl } = flags;
  return defined({
    whenUnbound: unbound === undefined ? undefined : oneOf(["Wait", "Move"], unbound, "--when-unbound"),
    whenInUse: inUse === undefined ? undefined : oneOf(["Wait", "Fail"], inUse, "--when-in-use"),
    allowSourceSecrets: flags["allow-source-secrets"] ? true : undefined,
    ttlSecondsAfterFinished: ttl === undefined ? undefined : wholeSecondsIn(ttl),
  });
}

function wholeSecondsIn(text: string): number {
  const seconds = durationOf(text, "--ttl");
  if (Number.isInteger(seconds)) return seconds;
  throw misuse(`--ttl is not in whole seconds: "${text}"`, "Write it like 30s or 24h.");
}

/** Who wants which claim under which names; `namespace` is where it is to arrive. */
export function wishOf(flags: Values, [from, name]: readonly string[], namespace: string): Handshake {
  const source = placeOf(from, "the source claim");
  const target = { namespace, name: nameOf(name ?? source.name, "the target claim") };
  if (source.namespace === namespace && source.name === target.name)
    throw misuse(
      `${namespace}/${target.name} would be moved to itself`,
      "Name another TARGET_NAME to rename it, or another namespace with -n to move it.",
    );
  return {
    source,
    target,
    requestName: nameOf(flags["request-name"] ?? `transfer-${source.name}`, "the request"),
    // A used approval stays as a record, and would stand in the way of the next one if it had the same name.
    approvalName: nameOf(flags["approval-name"] ?? `approve-${source.name}-${freshEnding()}`, "the approval"),
  };
}
