import { equal, match, throws } from "node:assert/strict";
import { test } from "node:test";
import { metricsRegistry } from "./registry.ts";

test("a scrape is text as Prometheus defines it: sorted, escaped, each family introduced once", () => {
  const registry = metricsRegistry();
  const answers = registry.counter({ name: "b_total", help: "Answers \\ of\nall kinds.", labels: ["method", "code"] });
  answers.add({ method: "PUT", code: "500" });
  answers.add({ method: "GET", code: "200" }, 2);
  answers.add({ method: "GET", code: "200" });
  answers.add({ method: 'a "\\\n', code: "1" });
  registry.gauge({ name: "a", help: "A gauge." }).set({}, -1.5);
  equal(
    registry.text(),
    [
      "# HELP a A gauge.",
      "# TYPE a gauge",
      "a -1.5",
      "# HELP b_total Answers \\\\ of\\nall kinds.",
      "# TYPE b_total counter",
      'b_total{code="1",method="a \\"\\\\\\n"} 1',
      'b_total{code="200",method="GET"} 3',
      'b_total{code="500",method="PUT"} 1',
      "",
    ].join("\n"),
  );
});

test("a histogram counts what is at most its bound, adds up, and ends with everything", () => {
  const registry = metricsRegistry();
  const seconds = registry.histogram({ name: "h", help: "H.", labels: ["verb"], buckets: [0.1, 1] });
  for (const value of [0.05, 0.1, 0.2, 5]) seconds.observe({ verb: "GET" }, value);
  equal(
    registry.text(),
    [
      "# HELP h H.",
      "# TYPE h histogram",
      'h_bucket{verb="GET",le="0.1"} 2',
      'h_bucket{verb="GET",le="1"} 3',
      'h_bucket{verb="GET",le="+Inf"} 4',
      'h_sum{verb="GET"} 5.35',
      'h_count{verb="GET"} 4',
      "",
    ].join("\n"),
  );
});

test("what has no labels is 0 before anything happens, and what has labels is not there", () => {
  const registry = metricsRegistry();
  registry.counter({ name: "plain_total", help: "P." });
  registry.counter({ name: "labelled_total", help: "L.", labels: ["a"] });
  registry.histogram({ name: "h", help: "H.", buckets: [1] });
  match(registry.text(), /^plain_total 0$/m);
  match(registry.text(), /^h_bucket\{le="\+Inf"\} 0$/m);
  equal(registry.text().includes("labelled_total"), false);
});

test("figures that are read at the scrape are as of then, and one that throws takes no other with it", () => {
  const registry = metricsRegistry();
  let depth = 1;
  const gauge = registry.gauge({ name: "depth", help: "D.", labels: ["name"] });
  gauge.read({ name: "ok" }, () => depth);
  gauge.read({ name: "broken" }, () => {
    throw new Error("no");
  });
  depth = 7;
  match(registry.text(), /depth\{name="ok"\} 7/);
  equal(registry.text().includes("broken"), false);
});

test("the same name is the same metric, and with another shape it is a bug", () => {
  const registry = metricsRegistry();
  const spec = { name: "x_total", help: "X.", labels: ["a", "b"] } as const;
  registry.counter(spec).add({ a: "1", b: "2" });
  registry.counter({ ...spec, labels: ["b", "a"] }).add({ a: "1", b: "2" });
  match(registry.text(), /x_total\{a="1",b="2"\} 2/);
  throws(() => registry.counter({ ...spec, labels: ["a"] }), /x_total is declared twice/);
  throws(() => registry.counter({ ...spec, help: "Y." }), /declared twice/);
  throws(() => registry.gauge(spec), /declared twice/);
  registry.histogram({ name: "h", help: "H.", buckets: [1, 2] });
  throws(() => registry.histogram({ name: "h", help: "H.", buckets: [1, 3] }), /declared twice/);
});

test("names that Prometheus would refuse are refused here", () => {
  const registry = metricsRegistry();
  throws(() => registry.counter({ name: "a-b", help: "" }), /"a-b" is no name/);
  throws(() => registry.counter({ name: "a", help: "", labels: ["x-y"] }), /"x-y" is no label/);
  throws(() => registry.counter({ name: "a", help: "", labels: ["__x"] }), /"__x" is no label/);
  throws(() => registry.histogram({ name: "a", help: "", labels: ["le"], buckets: [1] }), /"le"/);
  throws(() => registry.histogram({ name: "a", help: "", buckets: [1, 1] }), /do not grow/);
});

test("a counter never goes down", () => {
  const registry = metricsRegistry();
  const counter = registry.counter({ name: "c_total", help: "C." });
  counter.add({}, 2);
  counter.add({}, -1);
  match(registry.text(), /^c_total 2$/m);
});
