import { type StorageTransferPolicy, storageTransferPolicies } from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { listed } from "../kubectl/listing.ts";
import { bare, dataText, fullName } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { targetsInWords } from "../policy/targets.ts";
import { ageOf } from "../text/age.ts";
import { inColumns } from "../text/columns.ts";

type Policy = Stored<StorageTransferPolicy>;

export const policyList = kubeCommand({
  name: "list",
  says: "the standing approvals that you may see, and how often each was used",
  examples: ["kubectl portway policy list", "kubectl portway policy list -A -o wide"],
  flags: { "all-namespaces": { says: "of the whole cluster", short: "A", ofKubectl: true } },
  async run({ flags, ...session }) {
    const where = flags["all-namespaces"] ? {} : { namespace: session.namespace };
    await print(session, await listed(session.client, storageTransferPolicies, where), where.namespace);
  },
});

async function print({ terminal, output }: Session, all: readonly Policy[], namespace: string | undefined) {
  if (output === "json" || output === "yaml") {
    const items = all.map((one) => bare(storageTransferPolicies, one));
    return terminal.result(await dataText(output, { apiVersion: "v1", kind: "List", items }));
  }
  if (all.length === 0)
    return terminal.say(`No policies found${namespace === undefined ? "" : ` in ${namespace} namespace`}.`);
  if (output === "name") {
    for (const { metadata } of all) terminal.result(fullName(storageTransferPolicies, metadata.name));
    return;
  }
  const [isWide, isAll, now] = [output === "wide", namespace === undefined, new Date()];
  const headings = [...(isAll ? ["NAMESPACE"] : []), "NAME", "TO", "USED", "COUNT", "UNTIL", "ACTIVE", "AGE"];
  terminal.result(
    inColumns(
      [...headings, ...(isWide ? ["REASON"] : [])],
      all.map((one) => [...(isAll ? [one.metadata.namespace ?? ""] : []), ...cellsOf(one, isWide, now)]),
    ),
  );
}

function cellsOf({ metadata, spec, status }: Policy, isWide: boolean, now: Date): readonly string[] {
  const active = status?.conditions?.find(({ type }) => type === "Active");
  const { targets, count, until = "-" } = spec;
  const used = [String(status?.used ?? 0), String(count), until];
  const cells = [metadata.name, targetsInWords(targets), ...used, active?.status ?? "-"];
  return [...cells, ageOf(metadata.creationTimestamp, now), ...(isWide ? [active?.reason ?? "-"] : [])];
}
