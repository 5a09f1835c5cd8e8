import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { resultsOf } from "./cli/figures.ts";
import { batchOf } from "./cli/measure.ts";
import { sectionOf } from "./cli/section.ts";
import { sectionIn, withSection, withSectionsOf } from "./sections.ts";

const page = "# Benchmarks\n\nOf the client.\n";
const transfers = "## Transfers\n\nOld.\n";
const cli = "## Command line\n\nOld.\n";

test("a section takes the place of the older one, and the others keep theirs, in one order", () => {
  const one = withSection(page, cli);
  equal(one, `${page}\n${cli}`);
  const both = withSection(one, transfers);
  equal(both, `${page}\n${transfers}\n${cli}`);
  equal(withSection(both, "## Transfers\n\nNew.\n"), `${page}\n## Transfers\n\nNew.\n\n${cli}`);
  equal(withSection(both, "## Command line\n\nNew.\n"), `${page}\n${transfers}\n## Command line\n\nNew.\n`);
  deepEqual([sectionIn(both, "## Transfers"), sectionIn(both, "## Command line")], [transfers, cli]);
  equal(sectionIn(page, "## Transfers"), "");
  equal(withSectionsOf("# Benchmarks\n\nAnew.\n", both), `# Benchmarks\n\nAnew.\n\n${transfers}\n${cli}`);
});

const took = (...wallMilliseconds: number[]) => [{ wallMilliseconds, cpuMilliseconds: 10 }];

test("the goal is a ratio of medians, and what is missed is said", () => {
  const results = resultsOf([
    { errand: "start", ours: took(10, 12, 900), theirs: took(10, 10, 10) },
    { errand: "status", ours: took(13, 13, 13), theirs: took(10, 1, 900) },
  ]);
  deepEqual(
    results.map(({ name, ratio, met }) => [name, ratio, met]),
    [
      ["cli: a help text, wall ms (ours/peer)", 1.2, true],
      ["cli: a help text, CPU ms (ours/peer)", 1, true],
      ["cli: what there is, from the cluster, wall ms (ours/peer)", 1.3, false],
      ["cli: what there is, from the cluster, CPU ms (ours/peer)", 1, true],
    ],
  );
  const findings = { results, idleNode: took(5), runs: 100, objects: 20, kubernetes: "v1.36.4" };
  match(sectionOf(findings), /\*\*Short of the goal: what there is, from the cluster, wall ms \(1\.3\)\.\*\*/);
  const met = results.map((one) => ({ ...one, met: true }));
  equal(/Short of the goal/.test(sectionOf({ ...findings, results: met })), false);
});

test("the CPU time of programs that have ended is counted", async () => {
  const busy = "const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);";
  const how = { env: process.env, count: 2, stop: new AbortController().signal };
  const { cpuMilliseconds, wallMilliseconds } = await batchOf([process.execPath, "-e", busy], how);
  equal(wallMilliseconds.length, 2);
  equal(cpuMilliseconds > 190, true, `${cpuMilliseconds} ms`);
});
