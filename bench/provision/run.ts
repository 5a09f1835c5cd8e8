import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type Call, command } from "../../src/cli/command.ts";
import { build } from "../../src/dev/build/build.ts";
import { addonParts } from "../../src/dev/build/parts.ts";
import { type Cluster, startCluster } from "../../src/dev/cluster/cluster.ts";
import { clusterOptions } from "../../src/dev/cluster/options.ts";
import { packageRoot, partsDirectory } from "../../src/dev/paths.ts";
import { connect } from "../connect.ts";
import { bundle } from "../program.ts";
import { record } from "../record.ts";
import { withSection } from "../sections.ts";
import { callsOf } from "./calls.ts";
import { createTeams } from "./claims.ts";
import { createFastClass } from "./drivers.ts";
import { type Contestant, type Findings, peer, type Run, resultsOf, us } from "./figures.ts";
import { measureAlone, measureHeld, measureStage, type Timed, type Track } from "./measure.ts";
import { observerOn } from "./moments.ts";
import { sectionOf } from "./section.ts";
import { fullWork, raised, shortWork, type Work } from "./work.ts";

export const provisionBench = command({
  name: "provision",
  says: "volumes for claims, beside external-provisioner",
  flags: { short: { says: "a smaller run that leaves docs/benchmarks.md alone" } },
  async run(call) {
    const work = call.flags.short ? shortWork : fullWork;
    const before = loadNow();
    await bundle();
    const findings = await find(call, work);
    const results = resultsOf(findings);
    const versions = { peer: await versionOf("provisioner"), hostPath: await versionOf("hostpath") };
    const section = sectionOf({ results, findings, work, loads: [before, loadNow()], versions });
    call.terminal.result(section);
    await record("provision: ", results);
    if (work !== fullWork) return;
    const page = join(packageRoot, "docs", "benchmarks.md");
    await writeFile(page, withSection(await readFile(page, "utf8"), section));
  },
});

function loadNow(): number {
  return loadavg()[0] ?? 0;
}

/** Everything in one run on one cluster. */
async function find(call: Call, work: Work): Promise<Findings> {
  const { env, terminal, stop } = call;
  const built = await build(addonParts.provisioner, { directory: partsDirectory(env), terminal, stop });
  await using undo = new AsyncDisposableStack();
  const cluster = await clusterFor(call);
  undo.defer(() => cluster.stop());
  await cluster.apply(await readFile(built.file("rbac.yaml"), "utf8"));
  const admin = await connect(cluster.kubeconfigOf("admin"));
  undo.defer(() => admin.close());
  await createTeams(admin);
  await createFastClass(admin);
  const observer = await observerOn(admin, stop);
  undo.defer(() => observer.close());
  const kubeconfig = await cluster.serviceAccount("default", "csi-provisioner");
  const { logs } = cluster.layout;
  const goProgram = built.program("csi-provisioner");
  const say = (what: string) => terminal.progress(what);
  const track: Track = { cluster, observer, say, ground: { goProgram, kubeconfig, admin, logs, stop } };

  const timed = await stagesOf(work, track);
  say("one claim after another");
  const alone = {
    [peer]: await measureAlone(work.alone, peer, track),
    [us]: await measureAlone(work.alone, us, track),
  };
  say(`making ${work.held} claims to hold`);
  const held = await measureHeld(work.held, track);
  return { runs: await withCalls(timed, logs), alone, held, heldClaims: work.held };
}

/** In changing order: what disturbs the machine for a while disturbs both. */
async function stagesOf({ stages }: Work, track: Track): Promise<readonly Timed[]> {
  const timed: Timed[] = [];
  for (const stage of stages) {
    for (let round = 0; round < stage.rounds; round++) {
      const order: readonly Contestant[] = round % 2 === 0 ? [us, peer] : [peer, us];
      for (const contestant of order) {
        track.say(`${stage.name}, round ${round + 1} of ${stage.rounds}: ${contestant}`);
        timed.push(await measureStage(stage, contestant, track));
      }
    }
  }
  return timed;
}

const account = "system:serviceaccount:default:csi-provisioner";

async function withCalls(timed: readonly Timed[], logs: string): Promise<readonly Run[]> {
  const spans = timed.flatMap(({ making, deleting }) => [making, deleting]);
  const calls = await callsOf(logs, account, spans);
  const none = new Map<string, number>();
  return timed.map((run, i) => ({ ...run, making: calls[2 * i] ?? none, deleting: calls[2 * i + 1] ?? none }));
}

async function clusterFor({ env, terminal, stop }: Call): Promise<Cluster> {
  const options = clusterOptions({
    name: `bench-${randomBytes(3).toString("hex")}`,
    "kcm-arg": raised,
    with: ["hostpath"],
  });
  return await startCluster(options, { env, terminal, stop, keepLogs: false });
}

const modules = {
  provisioner: "github.com/kubernetes-csi/external-provisioner/v5",
  hostpath: "github.com/kubernetes-csi/csi-driver-host-path",
} as const;

async function versionOf(folder: keyof typeof modules): Promise<string> {
  const goMod = await readFile(join(packageRoot, "go", folder, "go.mod"), "utf8");
  const line = goMod.split("\n").find((one) => one.includes(`${modules[folder]} v`));
  return line?.split(" v")[1]?.split(" ")[0] ?? "unknown";
}
