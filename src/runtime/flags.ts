import { hostname } from "node:os";
import { misuse } from "../api/failure.ts";
import type { TargetOptions } from "../kube/config/load-target.ts";
import type { Rate } from "../kube/transport/rate-limit.ts";
import type { Durations } from "./election.ts";
import { type FeatureGates, featureGatesOf, type GateValues } from "./feature-gates.ts";
import { booleanOf, durationOf, type Endpoint, endpointOf, numberOf, wholeNumberOf } from "./flag-values.ts";
import type { LogFormat } from "./log.ts";

/** What every process that runs on can be told, in the shape the command line wants its flags. */
export const logFlags = {
  v: { says: "how much to log: 0 little, 4 much, 6 everything", value: "LEVEL", short: "v" },
  "log-format": { says: "json or text (json)", value: "json|text" },
} as const;

/** What every process in a cluster can be told besides. */
export const processFlags = {
  "http-endpoint": { says: "serve /metrics, /healthz and /readyz here, for example :8080", value: "[HOST]:PORT" },
  "kube-api-qps": { says: "requests a second to the API server (50); -1 for no limit", value: "NUMBER" },
  "kube-api-burst": { says: "requests at once beyond that (100)", value: "NUMBER" },
  "kube-api-timeout": { says: "how long a request to the API server may take (30s)", value: "DURATION" },
  ...logFlags,
  kubeconfig: { says: "which cluster; the one we run in when not given", value: "PATH" },
  context: { says: "which context of the kubeconfig", value: "NAME" },
  as: { says: "act as this user", value: "USER" },
  "as-group": { says: "act as a member of this group", value: "GROUP", repeatable: true },
  "as-uid": { says: "act with this uid", value: "UID" },
} as const;

/** What every controller process can be told besides. */
export const controllerFlags = {
  "leader-election": { says: "let one replica work at a time", value: "true|false", bare: "true" },
  "leader-election-namespace": {
    says: "where the Lease is; the process's own namespace when not given",
    value: "NAME",
  },
  "leader-election-identity": { says: "who we are in the Lease; the host name when not given", value: "NAME" },
  "leader-election-lease-duration": { says: "others wait this long for a silent leader (15s)", value: "DURATION" },
  "leader-election-renew-deadline": {
    says: "a leader that cannot renew gives up after this long (10s)",
    value: "DURATION",
  },
  "leader-election-retry-period": { says: "how often to try and to renew (2s)", value: "DURATION" },
  workers: { says: "objects worked on at the same time (10)", value: "NUMBER" },
  "feature-gates": { says: "features to turn on or off", value: "NAME=BOOL,…", repeatable: true },
  ...processFlags,
} as const;

/** As the command line parses them. */
export type ValuesOf<F extends Readonly<Record<string, object>>> = {
  readonly [name in keyof F]: F[name] extends { readonly repeatable: true }
    ? readonly string[]
    : F[name] extends { readonly value: string }
      ? string | undefined
      : boolean;
};
export type ProcessFlagValues = ValuesOf<typeof processFlags>;
export type ControllerFlagValues = ValuesOf<typeof controllerFlags>;

export interface LogSettings {
  readonly format: LogFormat;
  readonly verbosity: number;
}

export interface ProcessSettings {
  readonly httpEndpoint: Endpoint | undefined;
  /** Where metrics are, for those whose scrapers know another place. */
  readonly metricsPath?: string | undefined;
  /** Absent: no limit of our own. */
  readonly rate: Rate | undefined;
  readonly timeoutSeconds: number;
  readonly log: LogSettings;
  readonly target: Pick<TargetOptions, "kubeconfig" | "context" | "as" | "server">;
}

export interface ControllerSettings<G extends FeatureGates> extends ProcessSettings {
  readonly election: ElectionSettings;
  readonly workers: number;
  readonly gates: GateValues<G>;
}

export interface ElectionSettings {
  readonly on: boolean;
  /** Absent: the namespace of the target. */
  readonly namespace: string | undefined;
  readonly identity: string;
  readonly durations: Durations;
  /** Of the Lease. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** What differs from process to process: sidecars serve no HTTP unless told to, and elect nobody. */
export interface ProcessDefaults {
  readonly httpEndpoint?: string;
  readonly rate?: Rate;
}

export interface ControllerDefaults<G extends FeatureGates> extends ProcessDefaults {
  readonly gates: G;
  readonly leaderElection?: boolean;
  readonly workers?: number;
}

const usualRate: Rate = { perSecond: 50, burst: 100 };

export function processSettings(
  flags: ProcessFlagValues,
  { httpEndpoint = ":8080", rate = usualRate }: ProcessDefaults,
): ProcessSettings {
  return {
    httpEndpoint: endpointOf(flags["http-endpoint"] ?? httpEndpoint),
    rate: rateOf(flags, rate),
    timeoutSeconds: timeoutOf(flags),
    log: logSettings(flags),
    target: { kubeconfig: flags.kubeconfig, context: flags.context, as: impersonationOf(flags) },
  };
}

export function controllerSettings<const G extends FeatureGates>(
  flags: ControllerFlagValues,
  { gates, leaderElection = true, workers = 10, ...defaults }: ControllerDefaults<G>,
): ControllerSettings<G> {
  return {
    ...processSettings(flags, defaults),
    election: electionOf(flags, leaderElection),
    workers: wholeNumberOf(flags.workers ?? String(workers), "--workers", { least: 1, most: 1000 }),
    gates: featureGatesOf(flags["feature-gates"].join(","), gates),
  };
}

function electionOf(flags: ControllerFlagValues, byDefault: boolean): ElectionSettings {
  const on = flags["leader-election"];
  const duration = (name: "lease-duration" | "renew-deadline" | "retry-period", otherwise: string) =>
    durationOf(flags[`leader-election-${name}`] ?? otherwise, `--leader-election-${name}`);
  return {
    on: on === undefined ? byDefault : booleanOf(on, "--leader-election"),
    namespace: flags["leader-election-namespace"] || undefined,
    identity: flags["leader-election-identity"] || hostname(),
    durations: safeDurations({
      leaseSeconds: duration("lease-duration", "15s"),
      renewSeconds: duration("renew-deadline", "10s"),
      retrySeconds: duration("retry-period", "2s"),
    }),
  };
}

/** A leader must have given up before others take over, and must be able to try more than once before it gives up. */
function safeDurations(durations: Durations): Durations {
  const { leaseSeconds, renewSeconds, retrySeconds } = durations;
  const next = "Keep --leader-election-lease-duration > renew-deadline > 2 × retry-period; 15s, 10s and 2s are usual.";
  if (!Number.isInteger(leaseSeconds)) throw misuse("--leader-election-lease-duration is not in whole seconds", next);
  if (leaseSeconds <= renewSeconds) throw misuse("the lease would be over before a leader gives up", next);
  if (retrySeconds <= 0 || renewSeconds < 2 * retrySeconds)
    throw misuse("a leader could try to renew only once before it gives up", next);
  return durations;
}

function rateOf(flags: ProcessFlagValues, otherwise: Rate): Rate | undefined {
  const perSecond = numberOf(flags["kube-api-qps"] ?? String(otherwise.perSecond), "--kube-api-qps");
  const burst = wholeNumberOf(flags["kube-api-burst"] ?? String(otherwise.burst), "--kube-api-burst", { least: 1 });
  if (perSecond === 0) throw misuse("--kube-api-qps=0 would send nothing", "Write a number, or -1 for no limit.");
  return perSecond < 0 ? undefined : { perSecond, burst };
}

function timeoutOf(flags: ProcessFlagValues): number {
  const seconds = durationOf(flags["kube-api-timeout"] ?? "30s", "--kube-api-timeout");
  if (seconds > 0) return seconds;
  throw misuse("--kube-api-timeout=0 would wait for no answer", "Write it like 30s; a request always has an end.");
}

export function logSettings(flags: ValuesOf<typeof logFlags>): LogSettings {
  return { format: formatOf(flags["log-format"] ?? "json"), verbosity: verbosityOf(flags.v ?? "0") };
}

/** Go programs are told `-v=4`; the sign arrives here. */
function verbosityOf(text: string): number {
  return wholeNumberOf(text.replace(/^=/, ""), "-v", { most: 10 });
}

function formatOf(text: string): LogFormat {
  if (text === "json" || text === "text") return text;
  throw misuse(`--log-format does not know "${text}"`, "Write json or text.");
}

function impersonationOf(flags: ProcessFlagValues): TargetOptions["as"] {
  const { as: user, "as-group": groups, "as-uid": uid } = flags;
  if (user !== undefined && user !== "")
    return { user, ...(groups.length === 0 ? {} : { groups }), ...(uid === undefined ? {} : { uid }) };
  if (groups.length > 0 || uid !== undefined)
    throw misuse("--as-group and --as-uid need --as", "Name the user with --as too.");
  return undefined;
}
