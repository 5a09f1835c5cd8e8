import type { Refusal } from "./proxy/reads.ts";
import type { WriteRecord } from "./proxy/write-record.ts";

/** Something that must be true of the writes of a process, whatever the timing hid from the stored states. */
export interface OrderRule {
  /** As in the list of invariants: "G2". */
  readonly id: string;
  readonly says: string;
  /** One sentence a write that breaks it. */
  broken(log: readonly WriteRecord[]): readonly string[];
}

/** One write in words: `#3 patch persistentvolumes/pv-1 (409)`. */
export function inWords({ n, verb, resource, subresource, namespace, name, code }: WriteRecord): string {
  const object = [resource, name ?? "*", subresource].filter((word) => word !== undefined).join("/");
  const place = namespace === undefined ? "" : ` in ${namespace}`;
  return `#${n} ${verb} ${object}${place} (${code ?? "no answer"})`;
}

export const deletesOnlyWhatItSaw: OrderRule = {
  id: "G2",
  says: "every DELETE names the uid of what it deletes",
  broken: (log) =>
    log
      .filter(({ verb, preconditions }) => verb === "delete" && preconditions.uid === undefined)
      .map((write) => `${inWords(write)} has no uid precondition`),
};

const precious: ReadonlySet<string> = new Set(["persistentvolumes", "persistentvolumeclaims", "secrets"]);

export const changesOnlyWhatItSaw: OrderRule = {
  id: "G2",
  says: "every change of a volume, a claim or a Secret tests its uid or its version",
  broken: (log) =>
    log
      .filter(({ group, resource }) => group === "" && precious.has(resource))
      .filter(({ verb }) => verb === "patch" || verb === "apply" || verb === "update")
      .filter(({ preconditions: { uid, resourceVersion } }) => uid === undefined && resourceVersion === undefined)
      .map((write) => `${inWords(write)} tests neither uid nor resourceVersion`),
};

/** The clocks of timers are not exact to the millisecond. */
const earlyMilliseconds = 20;

export const waitsWhenAsked: OrderRule = {
  id: "G6",
  says: "a server that asks for time gets it",
  broken: (log) =>
    log.flatMap(({ fault, at, ...asked }) => {
      if (fault?.kind !== "answer" || fault.retryAfterSeconds === undefined) return [];
      const until = at + fault.retryAfterSeconds * 1000 - earlyMilliseconds;
      const isSame = (write: WriteRecord) => write.resource === asked.resource && write.name === asked.name;
      return log
        .filter((write) => isSame(write) && write.at > at && write.at < until)
        .map((write) => `${inWords(write)} came ${Math.round(until - write.at)} ms before its time`);
    }),
};

/** Reads are not in the log of writes: the rule asks the proxy for them. */
export function readsNeverGoBack(refusals: () => readonly Refusal[]): OrderRule {
  return {
    id: "G4",
    says: "no read with resourceVersion=0, and no list without a limit",
    broken: () => refusals().map(({ read, why }) => `${why}: ${read.resource} by ${read.userAgent}`),
  };
}

/** What holds for every process of Portway. */
export function globalRules(proxy: { refusals(): readonly Refusal[] }): readonly OrderRule[] {
  return [deletesOnlyWhatItSaw, changesOnlyWhatItSaw, waitsWhenAsked, readsNeverGoBack(() => proxy.refusals())];
}

export interface Broken {
  readonly rule: OrderRule;
  readonly why: string;
}

export function brokenIn(log: readonly WriteRecord[], rules: readonly OrderRule[]): readonly Broken[] {
  return rules.flatMap((rule) => rule.broken(log).map((why) => ({ rule, why })));
}

/** Writes per `verb resource` or `verb resource/subresource`, upkeep apart; every attempt counts, refused or not. */
export function budgetOf(log: readonly WriteRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { upkeep, verb, resource, subresource } of log) {
    if (upkeep) continue;
    const what = `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
