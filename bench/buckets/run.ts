import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Call, command } from "../../src/cli/command.ts";
import { type Cluster, startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { installPortway } from "../../test/fixture/install.ts";
import { connect } from "../connect.ts";
import { bundle } from "../program.ts";
import { record } from "../record.ts";
import { withSection } from "../sections.ts";
import { type Measured, resultsOf } from "./figures.ts";
import { measureBuckets } from "./measure.ts";
import { startProcesses } from "./processes.ts";
import { sectionOf } from "./section.ts";
import { tenantsOn } from "./tenants.ts";
import { fullWork, shortWork, type Work } from "./work.ts";

export const bucketsBench = command({
  name: "buckets",
  says: "Buckets on a real store, beside what is counted in upstream's code",
  flags: { short: { says: "a smaller run that leaves docs/benchmarks.md alone" } },
  async run(call) {
    const work = call.flags.short ? shortWork : fullWork;
    await bundle();
    const results = resultsOf(await measured(call, work), work);
    const section = sectionOf(results, work);
    call.terminal.result(section);
    await record("buckets: ", results);
    if (work !== fullWork) return;
    const page = join(packageRoot, "docs", "benchmarks.md");
    await writeFile(page, withSection(await readFile(page, "utf8"), section));
  },
});

async function measured(call: Call, work: Work): Promise<Measured> {
  await using undo = new AsyncDisposableStack();
  const cluster = await clusterFor(call);
  undo.defer(() => cluster.stop());
  await installPortway(cluster);
  const client = await connect(cluster.kubeconfigOf("admin"));
  undo.defer(() => client.close());
  const processes = undo.use(await startProcesses(cluster));
  const tenants = await tenantsOn(client);
  undo.defer(() => tenants.close());
  call.terminal.progress(`${work.idle} Buckets one after another, then ${work.burst}`);
  return await measureBuckets(tenants, processes, work, cluster.layout.directory);
}

async function clusterFor({ env, terminal, stop }: Call): Promise<Cluster> {
  const options = clusterOptions({ name: `bench-${randomBytes(3).toString("hex")}`, with: ["versitygw"] });
  return await startCluster(options, { env, terminal, stop, keepLogs: false });
}
