import { cpus, loadavg } from "node:os";
import { besideManyGives } from "../reasons.ts";
import type { Result } from "../report.ts";
import type { Heading } from "../sections.ts";
import { fairness, peerName } from "./figures.ts";
import type { Work } from "./work.ts";

const heading: Heading = "## Transfers";

export function sectionOf(results: readonly Result[], { disks, idle, scriptIdle, inFlight }: Work): string {
  const value = (number: number) => (Number.isNaN(number) ? "–" : String(number));
  const rows = results.map(({ name, ours, peer, goal, met }) => {
    const standing = goal === "none" ? "" : `${goal}: ${met ? "met" : "**short**"}`;
    return `| ${name.replace("transfer: ", "")} | **${value(ours)}** | ${value(peer)} | ${standing} |`;
  });
  const unfair = results.find(({ name, met }) => name === fairness && !met);
  const short = unfair === undefined ? "" : `\n${besideManyGives(unfair.ours)}\n`;
  return `${heading}

Written by \`node bench/run.ts transfer\`, a part of \`make bench\`, on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores that server, etcd, controllers
and the benchmark share; load of the machine in the minute before the end: ${(loadavg()[0] ?? 0).toFixed(1)}. kube-controller-manager runs with its stock flags, by
which the binder makes 20 requests a second and each bind takes two: about ten transfers a second is the ceiling.

| | portway | ${peerName} | goal |
|---|---|---|---|
${rows.join("\n")}

- **portway** is the bundled program as it ships, with its own account. A transfer lasts from the second consent until the
  request says that it is complete. Idle: ${idle} one after another; in flight: ${disks} volumes, ${inFlight} at a time.
- **${peerName}** is the same move by a plain script in the same run (Retain, delete the source, claimRef by name, create the target,
  wait until it is bound, policy back; ${scriptIdle} one after another), without consents, journal, gates or status. It never kicks the binder.
- **writes** are counted in the server's audit log, without events and leases. The first kick is one of the eight.
- **after a restart** from the start of the process until each of the volumes, half-way through a transfer, has been looked at.
${short}`;
}
