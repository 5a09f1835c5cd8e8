import { randomInt } from "node:crypto";
import { misuse } from "../api/failure.ts";

import { booleanOf, durationOf, wholeNumberOf } from "../runtime/flag-values.ts";
import type { ValuesOf } from "../runtime/flags.ts";
import type { BackoffSettings } from "../runtime/queue/backoff.ts";
import { type CapacitySettings, capacitySettings } from "./capacity/settings.ts";
import type { provisionFlags } from "./flags.ts";
import type { OrderSettings } from "./make-order.ts";

export interface ProvisionSettings extends OrderSettings {
  readonly socket: string;
  /** Of each call to the driver. */
  readonly timeoutSeconds: number;
  readonly longestTurnSeconds: number;
  readonly backoff: BackoffSettings;
  readonly strictTopology: boolean;
  readonly immediateTopology: boolean;
  readonly preventVolumeModeConversion: boolean;
  readonly sweepSeconds: number;
  readonly capacity: CapacitySettings | undefined;
}

type Flags = ValuesOf<typeof provisionFlags>;

/** Two more steps than the call itself need time, too. */
const roundAboutSeconds = 60;

export function provisionSettings(flags: Flags): Omit<ProvisionSettings, "identity"> {
  const yes = (name: Switch, otherwise: boolean) => {
    const text = flags[name];
    return text === undefined ? otherwise : booleanOf(text, `--${name}`);
  };
  const seconds = (name: Duration, otherwise: string) => durationOf(flags[name] ?? otherwise, `--${name}`);
  const timeoutSeconds = seconds("timeout", "10s");
  if (timeoutSeconds <= 0) throw misuse("--timeout=0 would wait for no answer", "Write it like 10s.");
  return {
    socket: flags["csi-address"] ?? "/run/csi/socket",
    timeoutSeconds,
    longestTurnSeconds: timeoutSeconds + roundAboutSeconds,
    backoff: {
      firstMilliseconds: seconds("retry-interval-start", "1s") * 1000,
      longestMilliseconds: seconds("retry-interval-max", "5m") * 1000,
    },
    volumeNamePrefix: flags["volume-name-prefix"] ?? "pvc",
    volumeNameUuidLength: lengthOf(flags["volume-name-uuid-length"] ?? "-1"),
    defaultFsType: flags["default-fstype"] ?? "",
    extraCreateMetadata: yes("extra-create-metadata", false),
    controllerPublishReadOnly: yes("controller-publish-readonly", false),
    strictTopology: yes("strict-topology", false),
    immediateTopology: yes("immediate-topology", true),
    preventVolumeModeConversion: yes("prevent-volume-mode-conversion", true),
    sweepSeconds: seconds("snapshot-orphan-sweep-interval", "5m"),
    capacity: capacitySettings(flags),
  };
}

type Switch =
  | "extra-create-metadata"
  | "controller-publish-readonly"
  | "strict-topology"
  | "immediate-topology"
  | "prevent-volume-mode-conversion";
type Duration = "timeout" | "retry-interval-start" | "retry-interval-max" | "snapshot-orphan-sweep-interval";

function lengthOf(text: string): number {
  return text === "-1" ? -1 : wholeNumberOf(text, "--volume-name-uuid-length", { least: 1, most: 32 });
}

/** `team=a,tier=gold`; undefined when there are none. */
export function labelsOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined || text === "") return undefined;
  const pairs = text.split(",").map((pair) => pair.split("="));
  if (pairs.some(({ length }) => length !== 2))
    throw misuse(`--leader-election-labels does not understand "${text}"`, "Write NAME=VALUE, with commas between.");
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}

/** As external-provisioner calls a process: when it began, some digits, and its driver. */
export function identityOf(driver: string, now: Date): string {
  return `${now.getTime()}-${randomInt(10_000)}-${driver}`;
}
