import { cpus } from "node:os";
import type { Result } from "../report.ts";
import type { Heading } from "../sections.ts";
import { callsPerClaim, type Findings, peer, us } from "./figures.ts";
import { reasonFor } from "./reasons.ts";
import type { Work } from "./work.ts";

const heading: Heading = "## Provisioner";

export interface Page {
  readonly results: readonly Result[];
  readonly findings: Findings;
  readonly work: Work;
  /** Of the machine, in the minute before the begin and before the end. */
  readonly loads: readonly [before: number, after: number];
  readonly versions: { readonly peer: string; readonly hostPath: string };
}

export function sectionOf({ results, findings, work, loads, versions }: Page): string {
  const [before, after] = loads.map((load) => load.toFixed(1));
  const claims = (name: string) => work.stages.find((stage) => stage.name === name)?.claims ?? 0;
  return `${heading}

Written by \`node bench/run.ts provision\`, a part of \`make bench\`, on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores that server, etcd, controllers,
driver, sidecar and the benchmark share; load of the machine in the minute before: ${before}, and before the end: ${after}. One cluster,
one program after the other in changing order, never both; the same role (upstream's rbac.yaml), driver and flags. kube-controller-manager
runs with \`--kube-api-qps=2000 --kube-api-burst=4000\`: with its stock flags the binder would be all that is measured.

| | ${us} | ${peer} | ours/theirs | goal |
|---|---|---|---|---|
${results.map(rowOf).join("\n")}

Calls to the API server for each claim with the driver of 0 ms, by the audit log, making and deleting:

| | ${us} | ${peer} |
|---|---|---|
${(["making", "deleting"] as const).flatMap((of) => callsPerClaim(findings.runs, "0 ms", of).map(([kind, ...values]) => `| ${of}: ${kind} | ${values.join(" | ")} |`)).join("\n")}

- **${us}** is the bundled program as it ships; **${peer}** is v${versions.peer}, built from its released source. Both elect a leader, with 100 workers.
  Times are those of one process that watches claims and volumes; medians of the rounds.
- **host-path** csi-driver-host-path v${versions.hostPath}, ${claims("host-path")} claims: each of its calls takes the longer the more volumes it has. **0 ms** and **50 ms** are
  a driver in memory that answers at once or after 50 ms, ${claims("0 ms")} claims. Both with \`--kube-api-qps=2000 --kube-api-burst=4000\`.
- **backlog at 0 ms** ${claims("backlog at 0 ms")} claims that the binder has asked volumes for before the program starts: its own pace, from the first volume to the
  last. **The sidecar's share** is from the binder's wish to the volume; the rest is the binder's.
- **shipped defaults** without flags: ${peer} makes 5 requests a second, ${us} leaves the pace to the server. ${claims("shipped defaults")} claims.
- **writes** are without Events and without the renewals of the leader's Lease; those of the intents count.
- **claims held** are bound, with their volumes. Memory is VmRSS ten seconds after the lead is taken, and VmHWM, in units of 10⁶ bytes.
${shortfallsOf(results)}`;
}

function rowOf({ name, ours, peer: theirs, ratio, goal, met }: Result): string {
  const value = (number: number) => (Number.isNaN(number) ? "–" : String(number));
  const standing = goal === "none" ? "" : `${goal}: ${met ? "met" : "**short**"}`;
  return `| ${titleOf(name)} | **${value(ours)}** | ${value(theirs)} | ${value(ratio)} | ${standing} |`;
}

/** What is missed is said, with what is known about it. */
function shortfallsOf(results: readonly Result[]): string {
  const paragraphs = results
    .filter(({ met }) => !met)
    .map(({ name, ours, ratio, goal }) => {
      const value = goal.includes("theirs") ? `${ratio} × theirs` : String(ours);
      return `\n**Short of the goal: ${titleOf(name)}: ${value}, wanted ${goal}.** ${reasonFor(titleOf(name), results)}\n`;
    });
  return paragraphs.join("");
}

function titleOf(name: string): string {
  return name.replace("provision: ", "");
}
