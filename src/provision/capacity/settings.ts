import { misuse } from "../../api/failure.ts";
import type { Rate } from "../../kube/transport/rate-limit.ts";
import { booleanOf, durationOf, numberOf, wholeNumberOf } from "../../runtime/flag-values.ts";
import type { ValuesOf } from "../../runtime/flags.ts";

const yesOrNo = { value: "true|false", bare: "true" } as const;

export const capacityFlags = {
  "enable-capacity": { says: "tell the scheduler how much the driver has left", ...yesOrNo },
  "capacity-threads": { says: "classes and places asked for at the same time (1)", value: "NUMBER" },
  "capacity-poll-interval": { says: "how often to ask the driver (1m)", value: "DURATION" },
  "capacity-ownerref-level": { says: "whose they are: 0 the pod, 1 its owner, … -1 nobody (1)", value: "NUMBER" },
  "capacity-for-immediate-binding": { says: "for classes that wait for no pod, too", ...yesOrNo },
  "kube-api-capacity-qps": { says: "requests a second for it (1)", value: "NUMBER" },
  "kube-api-capacity-burst": { says: "requests at once beyond that (5)", value: "NUMBER" },
} as const;

export interface CapacitySettings {
  readonly workers: number;
  readonly pollSeconds: number;
  readonly ownerLevel: number;
  readonly forImmediateBinding: boolean;
  readonly rate: Rate;
}

/** Undefined when nobody asked for it. */
export function capacitySettings(flags: ValuesOf<typeof capacityFlags>): CapacitySettings | undefined {
  if (!booleanOf(flags["enable-capacity"] ?? "false", "--enable-capacity")) return undefined;
  const forImmediate = flags["capacity-for-immediate-binding"] ?? "false";
  return {
    workers: wholeNumberOf(flags["capacity-threads"] ?? "1", "--capacity-threads", { least: 1, most: 1000 }),
    pollSeconds: durationOf(flags["capacity-poll-interval"] ?? "1m", "--capacity-poll-interval"),
    ownerLevel: levelOf(flags["capacity-ownerref-level"] ?? "1"),
    forImmediateBinding: booleanOf(forImmediate, "--capacity-for-immediate-binding"),
    rate: {
      perSecond: numberOf(flags["kube-api-capacity-qps"] ?? "1", "--kube-api-capacity-qps"),
      burst: wholeNumberOf(flags["kube-api-capacity-burst"] ?? "5", "--kube-api-capacity-burst", { least: 1 }),
    },
  };
}

function levelOf(text: string): number {
  if (/^(-1|\d)$/.test(text)) return Number(text);
  throw misuse(
    `--capacity-ownerref-level is no level: "${text}"`,
    "Write -1 for none, 0 for the pod, 1 for its owner.",
  );
}
