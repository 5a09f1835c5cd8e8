import { misuse } from "../api/failure.ts";

/** Alpha is off until asked for, Beta may be either, GA is on for good. */
export interface FeatureGate {
  readonly stage: "Alpha" | "Beta" | "GA";
  readonly default: boolean;
  readonly says: string;
}

export type FeatureGates = Readonly<Record<string, FeatureGate>>;

export type GateValues<G extends FeatureGates> = Readonly<Record<keyof G & string, boolean>>;

const groups = { AllAlpha: "Alpha", AllBeta: "Beta" } as const;

/** `A=true,B=false` over the defaults. A gate named itself counts more than its group, whatever the order. */
export function featureGatesOf<const G extends FeatureGates>(text: string, known: G): GateValues<G> {
  const asked = askedIn(text);
  for (const name of asked.keys())
    if (!Object.hasOwn(known, name) && !Object.hasOwn(groups, name)) throw unknownGate(name, known);
  const values = Object.entries(known).map(([name, gate]) => [name, valueOf(name, gate, asked)] as const);
  return Object.fromEntries(values) as GateValues<G>;
}

function valueOf(
  name: string,
  { stage, default: otherwise }: FeatureGate,
  asked: ReadonlyMap<string, boolean>,
): boolean {
  const value = asked.get(name);
  if (stage === "GA" && value === false)
    throw misuse(`--feature-gates cannot turn ${name} off: it is on for good`, `Leave ${name} out.`);
  const group = Object.entries(groups).find(([, members]) => members === stage)?.[0];
  return value ?? (group === undefined ? undefined : asked.get(group)) ?? otherwise;
}

function askedIn(text: string): ReadonlyMap<string, boolean> {
  const words = text.split(",").map((word) => word.trim());
  return new Map(words.filter((word) => word !== "").map(askedFor));
}

function askedFor(word: string): readonly [name: string, value: boolean] {
  const [name = "", value, ...rest] = word.split("=").map((part) => part.trim());
  const isWritten = /^(true|false)$/i.test(value ?? "") && rest.length === 0 && name !== "";
  if (!isWritten)
    throw misuse(
      `--feature-gates does not understand "${word}"`,
      "Write NAME=true or NAME=false, with commas between.",
    );
  return [name, value?.toLowerCase() === "true"];
}

function unknownGate(name: string, known: FeatureGates): Error {
  const names = Object.entries(known).map(
    ([gate, { stage, default: on }]) => `${gate} (${stage}, ${on ? "on" : "off"})`,
  );
  const list = names.length === 0 ? "There are none yet." : `One of: ${names.join(", ")}; or AllAlpha, AllBeta.`;
  return misuse(`--feature-gates does not know "${name}"`, list);
}
