/** How Prometheus reads figures: text format 0.0.4, written as Go programs write it, because dashboards match on the text. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8";

export type LabelPairs = readonly (readonly [name: string, value: string])[];

export interface Sample {
  /** What follows the name of the family: nothing, or `_bucket`, `_sum`, `_count`. */
  readonly suffix: string;
  readonly labels: LabelPairs;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** Families without samples are left out, and the order is always the same. */
export function expositionOf(families: readonly Family[]): string {
  const sorted = [...families].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((family) => (family.samples.length === 0 ? "" : textOf(family))).join("");
}

function textOf({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix, labels, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}`,
  );
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function labelsText(labels: LabelPairs): string {
  if (labels.length === 0) return "";
  return `{${labels.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`).join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** Bucket bounds are text to Prometheus: `le="1e-08"` of a Go program and `le="1e-8"` would be two series. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
