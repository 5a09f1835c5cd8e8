import { readFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/dev/paths.ts";
import type { Work } from "./work.ts";

export interface Findings {
  readonly work: Work;
  readonly kubernetes: string;
  /** Of the machine in the minute before. */
  readonly load: number;
  /** The runtimes that the subjects named. */
  readonly runtimes: readonly string[];
  readonly table: string;
  readonly shortfalls: readonly string[];
}

/** docs/benchmarks.md, whole: what was measured on what, how to repeat it, and what is missed. */
export async function pageOf({ work, kubernetes, load, runtimes, table, shortfalls }: Findings): Promise<string> {
  const { objects, requests, passes, rounds, starts } = work;
  return `# Benchmarks

Written by \`make bench\`, which starts a control plane of its own on this machine and takes about ten minutes; run it on a
quiet machine. All contestants are measured in one run on one cluster, one after another, each time in a fresh process;
${rounds} rounds (${starts} for the cold start) in changing order. The table gives the median (lowest–highest).

- **Machine** ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 1e9)} GB, Linux ${release()}; server, etcd and contestant share it.
- **Versions** Kubernetes ${kubernetes}, client-go ${await clientGoVersion()}, @kubernetes/client-node ${await clientNodeVersion()}, ${runtimes.join(", ")}.
- **Date** ${new Date().toISOString().slice(0, 10)}; load of the machine in the minute before: ${load.toFixed(1)}.

${table}

- **sync** ${objects} claims of 1.6 kB and ${objects} volumes of 2.1 kB, from the first request until both caches are whole. Portway
  keeps metadata, spec and status; client-go's informers drop managedFields by a transform; client-node's informers have no
  such thing. Memory is VmRSS one second later, and VmHWM, in units of 10⁶ bytes. The server's CPU
  is that of kube-apiserver from the start of the contestant's process to its result, whatever else it did meanwhile included.
- **GET** ${requests} times one claim, 8 in flight, no rate limit, after a tenth as many to warm up.
- **watch** the first list as a stream: ${objects} claims are ${objects} events, sent as fast as the server can; ${passes} times in a row. It
  measures decoding; a load of writes would measure the server.
- **cold start** from before the process is made to the answer to its first GET. Both JavaScript programs are one bundled file.
- Portway runs as it ships, with \`MALLOC_ARENA_MAX=1\` and \`--max-semi-space-size=2\`; the others with their defaults. client-go
  asks for protobuf by itself; "with JSON" is the same program told to ask for what JavaScript clients ask for.
- **bytes only** asks for the same as Portway, over the same kind of connection, and drops what comes: what remains for the
  server, the wire and TLS when nothing is decoded.

## Short of the goal

${shortfalls.length === 0 ? "Nothing." : shortfalls.join("\n\n")}
`;
}

async function clientGoVersion(): Promise<string> {
  const goMod = await readFile(join(packageRoot, "go/controlplane/go.mod"), "utf8");
  return /^\tk8s\.io\/client-go v(\S+)$/m.exec(goMod)?.[1] ?? "unknown";
}

async function clientNodeVersion(): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return devDependencies["@kubernetes/client-node"] ?? "unknown";
}
