import type { KubeObject, Stored } from "../../../src/api/object.ts";

/** One state of one object, as the server has stored it. */
export interface Version {
  /** The plural. */
  readonly resource: string;
  /** `namespace/name`, or `name` where there are no namespaces. */
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** ADDED also for what was there before the monitor began. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored<KubeObject>;
}

/** Something that must be true of every state that is ever stored. */
export interface StateRule {
  /** As in the list of invariants: "G1". */
  readonly id: string;
  readonly says: string;
  /** True, or what is wrong. The history is everything seen before this version, of all resources, as they were stored. */
  holds(version: Version, history: readonly Version[]): true | string;
}

export interface Violation {
  readonly rule: StateRule;
  readonly version: Version;
  readonly why: string;
}

/** What is wrong with this version by these rules. A rule that throws has not said that all is well. */
export function violationsOf(
  version: Version,
  history: readonly Version[],
  rules: readonly StateRule[],
): readonly Violation[] {
  return rules.flatMap((rule) => {
    const said = judged(rule, version, history);
    return said === true ? [] : [{ rule, version, why: said }];
  });
}

function judged(rule: StateRule, version: Version, history: readonly Version[]): true | string {
  try {
    return rule.holds(version, history);
  } catch (problem) {
    return `the rule itself failed: ${String(problem)}`;
  }
}

/** The last version of every object that is still there. */
export function currentOf(history: readonly Version[]): readonly Version[] {
  const last = new Map<string, Version>();
  for (const version of history) {
    const place = `${version.resource} ${version.key}`;
    if (version.type === "DELETED") last.delete(place);
    else last.set(place, version);
  }
  return [...last.values()];
}
