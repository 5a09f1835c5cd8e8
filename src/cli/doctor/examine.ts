import { eyesOf, type Unseen } from "../kubectl/eyes.ts";
import type { Session } from "../kubectl/session.ts";
import { inColumns } from "../text/columns.ts";
import { bucketFindings } from "./buckets.ts";
import { driverFindings } from "./drivers.ts";
import type { Finding, Standing } from "./finding.ts";
import { heldFindings } from "./held.ts";
import { holdFindings } from "./hold.ts";
import { kindFindings, policyFindings } from "./installed.ts";
import { journalFindings } from "./journals.ts";
import { leaseFindingOf, transferController } from "./lease.ts";
import { rightFindings } from "./rights.ts";
import { lookAtServer } from "./server.ts";

export interface Examination {
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  readonly unseen: readonly Unseen[];
}

export async function examine(
  { client, discovery, namespace }: Session,
  { version, stuckAfterSeconds }: { readonly version: string; readonly stuckAfterSeconds: number },
): Promise<Examination> {
  const eyes = eyesOf(client);
  const { finding: versions, now } = await lookAtServer(client, version);
  const findings = [
    versions,
    ...(await kindFindings(eyes, discovery)),
    ...(await policyFindings(eyes)),
    ...(await holdFindings(eyes, discovery, now)),
    await leaseFindingOf(eyes, transferController, now),
    ...(await heldFindings(eyes, namespace)),
    ...(await journalFindings(eyes, { now, stuckAfterSeconds })),
    ...(await bucketFindings(eyes, namespace, { now, stuckAfterSeconds })),
    ...(await driverFindings(eyes, now)),
    ...(await rightFindings(client, namespace)),
  ];
  return { healthy: findings.every(({ is }) => is !== "fault"), findings, unseen: eyes.unseen };
}

const marks: Readonly<Record<Standing, string>> = { ok: "ok", note: "-", unseen: "?", fault: "FAULT" };
const colours: Readonly<Record<Standing, number>> = { ok: 32, note: 0, unseen: 33, fault: 31 };

export function examinationText({ findings }: Examination, isColoured: boolean): string {
  const rows = findings.map(({ about, is, says, next = "" }) => {
    const mark = isColoured && colours[is] > 0 ? `\u001b[${colours[is]}m${marks[is]}\u001b[0m` : marks[is];
    return [about, mark, says, next];
  });
  return inColumns(["CHECK", "IS", "WHAT", "NEXT"], rows);
}
