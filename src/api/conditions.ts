import type { Condition } from "./gen/meta.ts";

export interface ConditionWish {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
}

/** The server keeps no more of a message. */
const longestMessage = 32_768;

/** The conditions with this one in its place. The time is that of the last change of its status, and stays otherwise. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  { observedGeneration, message, ...wish }: ConditionWish,
  now: Date,
): readonly Condition[] {
  const before = (conditions ?? []).find(({ type }) => type === wish.type);
  const lastTransitionTime = before?.status === wish.status ? before.lastTransitionTime : secondsOf(now);
  const next: Condition = {
    ...wish,
    message: message.slice(0, longestMessage),
    lastTransitionTime,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  if (before === undefined) return [...(conditions ?? []), next];
  return (conditions ?? []).map((condition) => (condition === before ? next : condition));
}

/** Kubernetes writes times in whole seconds; a finer one would come back changed and be written again and again. */
function secondsOf(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}
