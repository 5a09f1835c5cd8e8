import { bucketContents, buckets } from "../../api/gen/cosi.ts";
import type { Where } from "../../kube/client.ts";
import { eyesOf, valueOf } from "../kubectl/eyes.ts";
import { listed } from "../kubectl/listing.ts";
import { bare, dataText, fullName } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { ageOf } from "../text/age.ts";
import { coloured } from "../text/colours.ts";
import { inColumns } from "../text/columns.ts";
import { type Order, toldOn } from "./told.ts";

export async function printBuckets(session: Session, where: Where): Promise<void> {
  const { terminal, output, client } = session;
  const all = await listed(client, buckets, where);
  if (output === "json" || output === "yaml") {
    const items = all.map((one) => bare(buckets, one));
    return terminal.result(await dataText(output, { apiVersion: "v1", kind: "List", items }));
  }
  if (all.length === 0)
    return terminal.say(`No buckets found${where.namespace === undefined ? "" : ` in ${where.namespace} namespace`}.`);
  if (output === "name") {
    for (const { metadata } of all) terminal.result(fullName(buckets, metadata.name));
    return;
  }
  const [isWide, isAll, now] = [output === "wide", where.namespace === undefined, new Date()];
  const nameOf = await namesInStore(session);
  const headings = ["NAME", "CLASS", "PHASE", "SECRET", "BUCKET", "AGE", ...(isWide ? ["CONTENT"] : []), "MESSAGE"];
  const cellsOf = (one: Order) => {
    const { phase, message } = toldOn(one);
    const content = one.status?.bucketContentName ?? "-";
    const cells = [one.metadata.name, one.spec.bucketClassName, coloured(phase, terminal.colours === true)];
    const more = [one.spec.secretName, nameOf(one), ageOf(one.metadata.creationTimestamp, now)];
    return [...(isAll ? [one.metadata.namespace ?? ""] : []), ...cells, ...more, ...(isWide ? [content] : []), message];
  };
  terminal.result(inColumns([...(isAll ? ["NAMESPACE"] : []), ...headings], all.map(cellsOf)));
}

/** What stores call the buckets. Tenants may not see contents, know it, and need not be told each time. */
async function namesInStore({ client }: Session): Promise<(bucket: Order) => string> {
  const all = valueOf(await eyesOf(client).list(bucketContents));
  if (all === undefined) return () => "?";
  const names = new Map(all.map(({ spec }) => [spec.bucketRef.uuid, spec.bucketIdentifier ?? "-"]));
  return ({ metadata }) => names.get(metadata.uid) ?? "-";
}
