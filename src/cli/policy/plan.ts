import { persistentVolumeClaims } from "../../api/gen/core.ts";
import type { StorageTransferPolicy } from "../../api/gen/transfer.ts";
import { coversClaim } from "../../transfer/standing/uses.ts";
import type { Claim } from "../../transfer/watches.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { targetsInWords } from "./targets.ts";

/** A plan is read to its end when it fits on a screen. */
const mostLines = 20;

/** What is given away by it, today and later: the engine's own rule on the claims that are there. */
export async function planOf(policy: StorageTransferPolicy, eyes: Eyes): Promise<readonly string[]> {
  const { spec, metadata } = policy;
  const { namespace = "", name = "" } = metadata;
  const end = spec.until === undefined ? "" : `, until ${spec.until}`;
  const most = spec.count === 1 ? "one claim" : `up to ${spec.count} claims`;
  return [
    `You let ${targetsInWords(spec.targets)} have ${most} of ${namespace}${end}, without being asked again:`,
    ...(await coveredNow(policy, eyes)).map((line) => `  - ${line}`),
    "  - claims that come later are covered like those that are there, and so are namespaces",
    ...eyes.unseen.map(({ what, why }) => `  - not seen: ${what} (${why})`),
    `It can be taken back, and what is under way with it until its claim is given up: kubectl delete stp ${name} -n ${namespace}`,
  ];
}

async function coveredNow({ spec, metadata }: StorageTransferPolicy, eyes: Eyes): Promise<readonly string[]> {
  const all = await eyes.list(persistentVolumeClaims, { namespace: metadata.namespace ?? "" });
  if (all.is === "unseen") return [];
  const covered = all.value.filter((claim) => coversClaim(spec, claim));
  const count = `it covers ${covered.length} of the ${all.value.length} claims that are there`;
  const shown = covered.slice(0, mostLines).map(claimInWords);
  return [count, ...shown, ...(covered.length > mostLines ? [`and ${covered.length - mostLines} more`] : [])];
}

function claimInWords({ metadata, spec, status }: Claim): string {
  const size = String(spec?.resources?.requests?.["storage"] ?? "unknown size");
  return `the claim ${metadata.name} (${[status?.phase ?? "Pending", size, spec?.storageClassName ?? "no class"].join(", ")})`;
}
