import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Call, command } from "../../src/cli/command.ts";
import { type Cluster, startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { installPortway, transferAccount } from "../../test/fixture/install.ts";
import { connect } from "../connect.ts";
import { bundle } from "../program.ts";
import { record } from "../record.ts";
import { withSection } from "../sections.ts";
import { idleControllers } from "../world.ts";
import { type Crowded, crowd } from "./crowd.ts";
import { boundDisks } from "./disks.ts";
import { giveResults, type Measured, resultsOf } from "./figures.ts";
import { type GivesMeasured, measureGives } from "./gives.ts";
import { measureMoves } from "./measure.ts";
import { startMover } from "./mover.ts";
import { portwayMover, scriptMover } from "./movers.ts";
import { sectionOf } from "./section.ts";
import { sightOn } from "./sight.ts";
import { fullWork, shortWork, type Work } from "./work.ts";

export const transferBench = command({
  name: "transfer",
  says: "transfers, beside a plain script in CDI's order",
  flags: { short: { says: "a smaller run that leaves docs/benchmarks.md alone" } },
  async run(call) {
    const work = call.flags.short ? shortWork : fullWork;
    await bundle();
    const { ours, script } = await moves(call, work);
    const given = await gives(call, work);
    const crowded = await among(call, work);
    const results = [...resultsOf(ours, script, crowded), ...giveResults(given)];
    const section = sectionOf(results, work);
    call.terminal.result(section);
    await record("transfer: ", results);
    if (work !== fullWork) return;
    const page = join(packageRoot, "docs", "benchmarks.md");
    await writeFile(page, withSection(await readFile(page, "utf8"), section));
  },
});

/** On a cluster as it comes: the binder's pace is what everybody has. */
async function moves(call: Call, work: Work): Promise<{ readonly ours: Measured; readonly script: Measured }> {
  await using cluster = await clusterWith(call, []);
  const { terminal } = call;
  const client = await connect(cluster.kubeconfigOf("admin"));
  const sight = await sightOn(client);
  terminal.progress(`binding ${work.disks} volumes`);
  const disks = [...(await boundDisks(client, sight, work.disks))];
  const place = { directory: cluster.layout.directory, work, disks };
  terminal.progress("transfers by Portway");
  const ours = await withController(cluster, () =>
    measureMoves(portwayMover(client, sight), { ...place, idle: work.idle, component: "portway-transfer" }),
  );
  terminal.progress("the same by a script");
  const script = await measureMoves(scriptMover(client, sight), {
    ...place,
    idle: work.scriptIdle,
    component: "portway-bench",
  });
  await sight.close();
  await client.close();
  return { ours, script: { ...script, kicksIdle: Number.NaN, kicksBusy: Number.NaN } };
}

/** More of them wait at a time than one namespace usually may have. */
async function gives(call: Call, work: Work): Promise<GivesMeasured> {
  await using cluster = await clusterWith(call, []);
  const client = await connect(cluster.kubeconfigOf("admin"));
  const sight = await sightOn(client);
  await using controller = await startMover(await transferAccount(cluster), ["--max-pending-gives=1000"]);
  await controller.until("leader_election_master_status", 1);
  const { gives, givesIdle: idle } = work;
  const { directory } = cluster.layout;
  const say = (what: string) => call.terminal.progress(what);
  const measured = await measureGives({ client, sight, directory, gives, idle, say });
  await sight.close();
  await client.close();
  return measured;
}

async function withController<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  await using controller = await startMover(await transferAccount(cluster));
  await controller.until("leader_election_master_status", 1);
  return await work();
}

/** Without the binder, which would look at ten thousand claims again and again meanwhile. */
async function among(call: Call, work: Work): Promise<Crowded> {
  const off = idleControllers.map((name) => `-${name}`).join(",");
  await using cluster = await clusterWith(call, [`--controllers=${off}`]);
  const client = await connect(cluster.kubeconfigOf("admin"));
  const say = (what: string) => call.terminal.progress(what);
  const crowded = await crowd(client, await transferAccount(cluster), work, say);
  await client.close();
  return crowded;
}

async function clusterWith({ env, terminal, stop }: Call, args: readonly string[]): Promise<Cluster & AsyncDisposable> {
  const options = clusterOptions({ name: `bench-${randomBytes(3).toString("hex")}`, "kcm-arg": args });
  const cluster = await startCluster(options, { env, terminal, stop, keepLogs: false });
  await installPortway(cluster);
  return { ...cluster, [Symbol.asyncDispose]: () => cluster.stop() };
}
