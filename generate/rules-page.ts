import { reasons } from "../src/api/reasons.ts";
import { providing, releasing } from "../src/buckets/controller/rules.ts";
import { registering } from "../src/buckets/sidecar/registration/rules.ts";
import { granting, revoking } from "../src/buckets/sidecar/rules.ts";
import { published, wanted } from "../src/provision/capacity/rules.ts";
import { ending } from "../src/provision/deletion/rules.ts";
import { protecting } from "../src/provision/protection/rules.ts";
import { provisioning } from "../src/provision/rules.ts";
import { tableInMarkdown } from "../src/runtime/print-table.ts";
import { accepting } from "../src/transfer/accept/rules.ts";
import { offered } from "../src/transfer/give/rules.ts";
import { giving as givenGiving, taking as givenTaking, withdrawing } from "../src/transfer/given/rules.ts";
import { proposed } from "../src/transfer/proposal/rules.ts";
import { giving, taking, undoing } from "../src/transfer/rules.ts";
import { standing } from "../src/transfer/standing/rules.ts";

/** The tables themselves, not a description of them. */
export function transferRulesPage(): string {
  const told = Object.entries(reasons).map(([reason, { says, next }]) => `| ${reason} | ${says} | ${next} |`);
  return `# What can happen to a transfer

These are the tables that the controller decides by, printed by \`make generate\`. It looks, takes the first row that holds,
does that one thing, and looks again.

${tableInMarkdown("A request, until its volume is locked", proposed)}
${tableInMarkdown("A volume that is locked and has its source", giving)}
${tableInMarkdown("A volume on its way to the target", taking)}
${tableInMarkdown("A volume on its way back", undoing)}
${tableInMarkdown("A claim that accepts by annotation, while nothing is on its way to it", accepting)}
${tableInMarkdown("A claim that is given by annotation, until its volume is locked", offered)}
${tableInMarkdown("A given volume whose source is there", givenGiving)}
${tableInMarkdown("A given volume whose source is not given any more", withdrawing)}
${tableInMarkdown("A given volume whose source is deleted", givenTaking)}
${tableInMarkdown("A policy", standing)}
## What people are told

| reason | what it says | what to do |
|---|---|---|
${told.join("\n")}
`;
}

export function provisionRulesPage(): string {
  return `# What a provisioner does

These are the tables that \`portway csi-provisioner\` decides by, printed by \`make generate\`. It looks, takes the first row that
holds, does that one thing, and looks again. The reasons are explained in [transfer-rules.md](transfer-rules.md).

${tableInMarkdown("A claim, or an order that outlives it", provisioning)}
${tableInMarkdown("A volume, until it is gone", ending)}
${tableInMarkdown("What volumes are filled from", protecting)}
${tableInMarkdown("A class in one place, and what the driver has left there", wanted)}
${tableInMarkdown("What is told of it", published)}
`;
}

export function bucketRulesPage(): string {
  return `# What can happen to a bucket

These are the tables that \`portway controller --domains=buckets\` and \`portway cosi-sidecar\` decide by, printed by \`make
generate\`. Each looks, takes the first row that holds, does that one thing, and looks again. The reasons are explained in
[transfer-rules.md](transfer-rules.md).

${tableInMarkdown("The controller: a Bucket, until it has its Secret", providing)}
${tableInMarkdown("The controller: a Bucket that goes, or what is left of one", releasing)}
${tableInMarkdown("The sidecar: a content, until its keys are there", granting)}
${tableInMarkdown("The sidecar: a content that is given up", revoking)}
${tableInMarkdown("The sidecar: the name of its driver", registering)}
`;
}
