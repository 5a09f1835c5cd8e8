import { cpus, loadavg } from "node:os";
import type { Result } from "../report.ts";
import type { Heading } from "../sections.ts";
import { cpuOf, rounded, wallOf } from "./figures.ts";
import type { Batch } from "./measure.ts";

const heading: Heading = "## Command line";

export interface Findings {
  readonly results: readonly Result[];
  /** Node alone, doing nothing. */
  readonly idleNode: readonly Batch[];
  readonly runs: number;
  readonly objects: number;
  readonly kubernetes: string;
}

export function sectionOf({ results, idleNode, runs, objects, kubernetes }: Findings): string {
  const rows = results.map(({ name, ours, peer, ratio, goal, met }) => {
    const title = name.replace("cli: ", "").replace(" (ours/peer)", "");
    return `| ${title} | **${ours}** | ${peer} | ${ratio}, goal ${goal}: ${met ? "met" : "**short**"} |`;
  });
  const [wall, cpu] = [rounded(wallOf(idleNode)), rounded(cpuOf(idleNode))];
  return `${heading}

Written by \`node bench/run.ts cli\`, a part of \`make bench\`, on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores that server, etcd and
contestants share; load of the machine in the minute before the end: ${(loadavg()[0] ?? 0).toFixed(1)}. Medians of ${runs} runs each, in turns.

| | kubectl portway | kubectl | ours/kubectl |
|---|---|---|---|
${rows.join("\n")}

- **a help text** \`kubectl-portway status --help\` beside \`kubectl get --help\`: what anybody waits for at least.
- **what there is, from the cluster** \`kubectl-portway status -A\` beside \`kubectl get storagetransferrequests,storagetransferapprovals -A\`, on
  ${objects} of each. kubectl has its discovery cache and Node its compile cache, as on the second call of a day.
- **kubectl** is ${kubernetes}, built alone from its released source; \`kubectl portway\` adds kubectl's own start to ours.
- CPU is user and system time of the process, launcher included. Node itself, told to do nothing, takes ${wall} ms and ${cpu} ms of CPU.
${shortfallOf(results, cpu)}`;
}

/** What is missed is said, with what is known about it. */
function shortfallOf(results: readonly Result[], idleCpu: number): string {
  const short = results.filter(({ met }) => !met);
  if (short.length === 0) return "";
  const names = short.map(({ name, ratio }) => `${name.replace("cli: ", "").replace(" (ours/peer)", "")} (${ratio})`);
  return `
**Short of the goal: ${names.join(", ")}.** ${idleCpu} ms of our CPU are Node's own start. To talk TLS and HTTP/2 Node then loads
and compiles these parts of itself in every process, and a snapshot of them, which would spare that, cannot be made: Node 24 refuses
to serialise them. By hand, in CPU under load: TLS and HTTP/2 about 30 ms to load and 30 ms until the first answer, the kubeconfig's YAML 15 ms,
our own bundle 15 ms. HTTP/1.1 instead was tried and gained nothing that stood out of the noise.
`;
}
