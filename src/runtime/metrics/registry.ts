import { expositionOf, type Family, type LabelPairs, numberText, type Sample } from "./exposition.ts";

export interface MetricSpec<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

export interface HistogramSpec<L extends string = string> extends MetricSpec<L> {
  /** Upper bounds, growing; the infinite one is always there. */
  readonly buckets: readonly number[];
}

export type LabelValues<L extends string> = Readonly<Record<L, string>>;

interface Read<L extends string> {
  /** Asked at every scrape, instead of a figure that is kept. */
  read(labels: LabelValues<L>, value: () => number): void;
}

export interface Counter<L extends string = string> extends Read<L> {
  add(labels: LabelValues<L>, by?: number): void;
}

export interface Gauge<L extends string = string> extends Read<L> {
  set(labels: LabelValues<L>, value: number): void;
  add(labels: LabelValues<L>, value: number): void;
}

export interface Histogram<L extends string = string> {
  observe(labels: LabelValues<L>, value: number): void;
}

/** The figures of one process. A name that is asked for again is the same metric; with another shape it is a bug. */
export interface MetricsRegistry {
  counter<const L extends string = never>(spec: MetricSpec<L>): Counter<L>;
  gauge<const L extends string = never>(spec: MetricSpec<L>): Gauge<L>;
  histogram<const L extends string = never>(spec: HistogramSpec<L>): Histogram<L>;
  /** What a scrape is answered. */
  text(): string;
}

interface Metric {
  readonly type: Family["type"];
  readonly spec: MetricSpec | HistogramSpec;
  /** Sorted. */
  readonly labels: readonly string[];
  readonly series: Map<string, Series>;
}

/** One combination of label values. A histogram counts per bucket, the infinite one last. */
interface Series {
  readonly pairs: LabelPairs;
  value: number;
  counts: number[];
  read?: () => number;
}

export function metricsRegistry(): MetricsRegistry {
  const metrics = new Map<string, Metric>();

  function registered(type: Family["type"], spec: MetricSpec | HistogramSpec): Metric {
    const known = metrics.get(spec.name);
    if (known !== undefined) {
      if (shapeOf(known) === shapeOf({ type, spec })) return known;
      throw new Error(`the metric ${spec.name} is declared twice with different shapes`);
    }
    mustBeWellFormed(type, spec);
    const metric: Metric = { type, spec, labels: [...(spec.labels ?? [])].sort(), series: new Map() };
    metrics.set(spec.name, metric);
    // What has no labels is there from the beginning: a figure of 0 is not the same as none.
    if ((spec.labels ?? []).length === 0) seriesOf(metric, {});
    return metric;
  }

  return {
    counter(spec) {
      const metric = registered("counter", spec);
      return {
        add(labels, by = 1) {
          if (by >= 0) seriesOf(metric, labels).value += by;
        },
        read: (labels, value) => void (seriesOf(metric, labels).read = value),
      };
    },
    gauge(spec) {
      const metric = registered("gauge", spec);
      return {
        set: (labels, value) => void (seriesOf(metric, labels).value = value),
        add: (labels, value) => void (seriesOf(metric, labels).value += value),
        read: (labels, value) => void (seriesOf(metric, labels).read = value),
      };
    },
    histogram(spec) {
      const metric = registered("histogram", spec);
      return {
        observe(labels, value) {
          const series = seriesOf(metric, labels);
          const bucket = spec.buckets.findIndex((bound) => value <= bound);
          const place = bucket < 0 ? spec.buckets.length : bucket;
          series.counts[place] = (series.counts[place] ?? 0) + 1;
          series.value += value;
        },
      };
    },
    text: () => expositionOf([...metrics.values()].map(familyOf)),
  };
}

function shapeOf({ type, spec }: Pick<Metric, "type" | "spec">): string {
  return JSON.stringify([type, spec.help, [...(spec.labels ?? [])].sort(), bucketsOf(spec)]);
}

function bucketsOf(spec: MetricSpec | HistogramSpec): readonly number[] {
  return "buckets" in spec ? spec.buckets : [];
}

function mustBeWellFormed(type: Family["type"], spec: MetricSpec | HistogramSpec): void {
  const labels = spec.labels ?? [];
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(spec.name)) throw new Error(`"${spec.name}" is no name of a metric`);
  const odd = labels.find((label) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) || label.startsWith("__"));
  if (odd !== undefined) throw new Error(`"${odd}" is no label of ${spec.name}`);
  if (type === "histogram" && labels.includes("le")) throw new Error(`${spec.name} has its own label "le"`);
  const bounds = bucketsOf(spec);
  if (bounds.some((bound, n) => !Number.isFinite(bound) || bound <= (bounds[n - 1] ?? Number.NEGATIVE_INFINITY)))
    throw new Error(`the buckets of ${spec.name} do not grow`);
}

function seriesOf(metric: Metric, values: Readonly<Record<string, string>>): Series {
  const key = keyOf(metric.labels, values);
  const known = metric.series.get(key);
  if (known !== undefined) return known;
  const pairs = metric.labels.map((name) => [name, values[name] ?? ""] as const);
  const series: Series = { pairs, value: 0, counts: [] };
  metric.series.set(key, series);
  return series;
}

/** Made very often: every turn counts several times. The lengths keep apart what would be the same in a row. */
function keyOf(labels: readonly string[], values: Readonly<Record<string, string>>): string {
  let key = "";
  for (const name of labels) {
    const value = values[name] ?? "";
    key += `${value.length}:${value}`;
  }
  return key;
}

function familyOf(metric: Metric): Family {
  const { type, spec } = metric;
  const named = [...metric.series.values()].map((series) => [JSON.stringify(series.pairs), series] as const);
  const sorted = named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
  const samples = sorted.flatMap((series) =>
    type === "histogram" ? bucketSamples(series, bucketsOf(spec)) : plainSample(series),
  );
  return { name: spec.name, help: spec.help, type, samples };
}

/** A figure that cannot be read is left out: the others must still be told. */
function plainSample({ pairs, value, read }: Series): readonly Sample[] {
  try {
    return [{ suffix: "", labels: pairs, value: read === undefined ? value : read() }];
  } catch {
    return [];
  }
}

function bucketSamples({ pairs, value, counts }: Series, bounds: readonly number[]): readonly Sample[] {
  let total = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, n) => {
    total += counts[n] ?? 0;
    return { suffix: "_bucket", labels: [...pairs, ["le", numberText(bound)] as const], value: total };
  });
  return [...buckets, { suffix: "_sum", labels: pairs, value }, { suffix: "_count", labels: pairs, value: total }];
}
