import { cpus, loadavg } from "node:os";
import type { Result } from "../report.ts";
import type { Heading } from "../sections.ts";
import { peerName } from "./figures.ts";
import type { Work } from "./work.ts";

const heading: Heading = "## Buckets";

export function sectionOf(results: readonly Result[], { burst, inFlight }: Work): string {
  const value = (number: number) => (Number.isNaN(number) ? "–" : String(number));
  const rows = results.map(({ name, ours, peer, goal, met }) => {
    const standing = goal === "none" ? "" : `${goal}: ${met ? "met" : "**short**"}`;
    return `| ${name.replace("buckets: ", "")} | **${value(ours)}** | ${value(peer)} | ${standing} |`;
  });
  return `${heading}

Written by \`node bench/run.ts buckets\`, a part of \`make bench\`, on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores that server, etcd, store,
driver, sidecar, controller and the benchmark share; load of the machine in the minute before the end: ${(loadavg()[0] ?? 0).toFixed(1)}.

| | portway | ${peerName} | goal |
|---|---|---|---|
${rows.join("\n")}

- **portway** is the bundled program as it ships, three processes with their own accounts, on a real store (versitygw). Each Bucket
  is a bucket, a user and a policy there. ${burst} Buckets in five namespaces, ${inFlight} asked for at a time, and deleted in the same way.
- **usable Secret** from the request for a Bucket until the Secret in its namespace is there; it is only ever there complete.
- **writes** and **reads** are counted in the server's audit log, controller and sidecar together, without Events, Leases and watches.
- **${peerName}**: upstream's controller and sidecar do not build from what is published, so nothing of it was run. The numbers are read
  off its code: the calls of one claim and one access that all work out, before any repeat, and the pace that its client allows itself
  with no limit set by it.
`;
}
