import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namespaces } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { type Call, command } from "../../src/cli/command.ts";
import { type Cluster, startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { packageRoot, partsDirectory } from "../../src/dev/paths.ts";
import { anApproval, aRequest } from "../../test/fixture/handshake.ts";
import { installPortway } from "../../test/fixture/install.ts";
import { connect } from "../connect.ts";
import { bundle } from "../program.ts";
import { record } from "../record.ts";
import { withSection } from "../sections.ts";
import { numberOf } from "../work.ts";
import { errands, type Programs, programs } from "./contestants.ts";
import { type Measured, resultsOf } from "./figures.ts";
import { type Batch, batchOf } from "./measure.ts";
import { sectionOf } from "./section.ts";

const fullRounds = 10;
/** The kernel's hundredths of a second, spread over so many runs, are milliseconds. */
const batch = 10;
const objects = 20;

export const cliBench = command({
  name: "cli",
  says: "how soon kubectl portway answers, beside kubectl",
  flags: { rounds: { says: `fewer than ${fullRounds} leave docs/benchmarks.md alone`, value: "N" } },
  async run(call) {
    const rounds = call.flags.rounds === undefined ? fullRounds : numberOf(call.flags.rounds);
    const { env, terminal, stop } = call;
    await bundle();
    const built = await programs({ directory: partsDirectory(env), terminal, stop });
    await using cluster = await busyCluster(call);
    const { measured, idleNode } = await measure(call, built, cluster.kubeconfigOf("admin"), rounds);
    const results = resultsOf(measured);
    const { kubernetes } = cluster.state;
    const section = sectionOf({ results, idleNode, runs: rounds * batch, objects, kubernetes });
    terminal.result(section);
    await record("cli: ", results);
    if (rounds < fullRounds) return;
    const page = join(packageRoot, "docs", "benchmarks.md");
    await writeFile(page, withSection(await readFile(page, "utf8"), section));
  },
});

/** A cluster in which there is something to show. */
async function busyCluster({ env, terminal, stop }: Call): Promise<Cluster & AsyncDisposable> {
  const options = clusterOptions({ name: `bench-${randomBytes(3).toString("hex")}` });
  const cluster = await startCluster(options, { env, terminal, stop, keepLogs: false });
  await installPortway(cluster);
  const client = await connect(cluster.kubeconfigOf("admin"));
  await client.create(namespaces, { metadata: { name: "shown" } });
  for (let i = 0; i < objects; i++) {
    const [r, a] = [`r-${i}`, `a-${i}`];
    const source = { name: `foo-${i}`, namespace: "shown", kind: "PersistentVolumeClaim" };
    const request = aRequest("shown", { source, approvalName: a });
    const approval = anApproval("shown", {
      source: { name: source.name, kind: source.kind },
      targetNamespace: "shown",
      requestName: r,
    });
    await client.create(storageTransferRequests, { ...request, metadata: { namespace: "shown", name: r } });
    await client.create(storageTransferApprovals, { ...approval, metadata: { namespace: "shown", name: a } });
  }
  await client.close();
  return { ...cluster, [Symbol.asyncDispose]: () => cluster.stop() };
}

interface Found {
  readonly measured: readonly Measured[];
  readonly idleNode: readonly Batch[];
}

/** In turns, so that whatever else the machine does falls upon all of them. The first turn fills caches and does not count. */
async function measure(call: Call, built: Programs, kubeconfig: string, rounds: number): Promise<Found> {
  const home = await mkdtemp(join(tmpdir(), "pw-bench-"));
  const env = { ...call.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), KUBECONFIG: kubeconfig };
  const run = (count: number, program: string, words: readonly string[]) =>
    batchOf([program, ...words], { env, count, stop: call.stop });
  const measured = errands.map(({ name }) => ({ errand: name, ours: [] as Batch[], theirs: [] as Batch[] }));
  const idleNode: Batch[] = [];
  try {
    for (const { ours, theirs } of errands) {
      await run(2, built.portway, ours);
      await run(2, built.kubectl, theirs);
    }
    for (let round = 1; round <= rounds; round++) {
      call.terminal.progress(`command line, round ${round} of ${rounds}`);
      for (const [i, { ours, theirs }] of errands.entries()) {
        measured[i]?.ours.push(await run(batch, built.portway, ours));
        measured[i]?.theirs.push(await run(batch, built.kubectl, theirs));
      }
      idleNode.push(await run(batch, built.node, ["-e", "0"]));
    }
    return { measured, idleNode };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
