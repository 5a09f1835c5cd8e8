import type { Result } from "../report.ts";

type Value = (title: string) => { readonly ours: number; readonly theirs: number };

/** What is known about a goal that is missed. Each sentence stands on figures of the same run, or says where it comes from. */
export function reasonFor(title: string, results: readonly Result[]): string {
  const value: Value = (wanted) => {
    const found = results.find(({ name }) => name === `provision: ${wanted}`);
    if (found === undefined) throw new Error(`there is no figure "${wanted}"`);
    return { ours: found.ours, theirs: found.peer };
  };
  const stage = title.slice(0, title.indexOf(":"));
  if (title === "shipped defaults: claims Bound/s") return atDefaults(value, results);
  if (title.endsWith(": claims Bound/s")) return boundRate(stage, value);
  if (title.endsWith("claims held: memory, MB")) return memory;
  return "The reason is not known yet.";
}

/** Everybody waits for the same binder, and shares the same cores with it. */
function boundRate(stage: string, value: Value): string {
  const [all, share, cpu] = [
    value(`${stage}: created to Bound, p50 ms`),
    value(`${stage}: the sidecar's share of it, p50 ms`),
    value(`${stage}: CPU ms for each claim made`),
  ];
  const pace = value("backlog at 0 ms: volumes written/s");
  return `Of ${all.ours} ms until a claim is bound ${share.ours} ms are the sidecar's, and
with theirs ${share.theirs} of ${all.theirs} ms; the rest is the binder, which takes one claim after another, and which neither of the two can hasten. Where the
binder is not waited for, in a backlog, ours writes ${pace.ours} volumes a second and theirs ${pace.theirs}. All share the same cores, so what a sidecar
takes the binder lacks: ${cpu.ours} ms of CPU for each claim with ours, ${cpu.theirs} ms with theirs.`;
}

/** Ten times their limit may be more than the binder manages for anybody. */
function atDefaults(value: Value, results: readonly Result[]): string {
  const { ours, theirs } = value("shipped defaults: claims Bound/s");
  const rates = results.filter(({ name }) => name.endsWith(": claims Bound/s"));
  const most = Math.max(...rates.flatMap(({ ours: one, peer: other }) => [one, other]));
  return `Theirs is held back by its own limit, and ours by what binder, server and etcd manage
on the same cores: ${ours} a second here. Ten times theirs would be ${Math.round(theirs * 10)}; the most that either program has come to in any stage of this run, all
limits raised, is ${most}.`;
}

const memory = `Node itself and the loaded program take about 80 MB before the first claim
comes; what is live of the heap was 36 MB with 10,000 claims and volumes when it was looked at by hand. The rest is what V8 keeps for the next
allocations: with \`--optimize-for-size\`, tried by hand, it was 24 MB less, for a third more CPU while the lists come in.`;
