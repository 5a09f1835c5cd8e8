import { stationKinds } from "./case.ts";
import { type Chapter, cases, chapters } from "./cases.ts";
import { differences } from "./differences.ts";
import type { Expected } from "./expected.ts";

/** What the comparison asks and what it found, from the very lists that it runs by. */
export function compatibilityPage(): string {
  const stations = Object.entries(stationKinds).map(([kind, says]) => `| ${kind} | ${says} |`);
  return `# Beside external-provisioner v5.1.0

\`portway csi-provisioner\` takes the place of kubernetes-csi/external-provisioner. ${cases.length} cases, ${cases.flatMap(({ on }) => on).length} with every driver they
run on, are played by both programs on one real control plane: the same flags, the same objects, drivers of the same kind, an
account with exactly the rbac.yaml of the v5.1.0 module (its commented rule for Secrets is on for the cases about Secrets only).
What comes of it is compared field by field: the volumes and the claims, the events about them, the comings and goings of finalizers, and
every request as the driver got it. Left out is only what is new in every run: names, uids, times, versions, handles, the
identity of a process, and how often something was said or tried again.

A difference that is not in the list below fails \`make test\`, and so does one in the list that no longer occurs.
\`node test/provision/compare/run.ts\` runs it alone and prints what differs (\`--case WORDS\` for some cases, \`go go\` to see
that upstream's does not differ from itself). This page is printed by \`make generate\`.

## Differences

\`$case\` stands for the namespace and the class of a case, \`$driver\` for the driver's name, \`*\` for any text.

${differences.length === 0 ? "There are none." : differenceTable()}

## Cases

| driver | what it is |
|---|---|
${stations.join("\n")}

${chapters.map(chapterOf).join("\n\n")}
`;
}

function differenceTable(): string {
  const reasons = [...Map.groupBy(differences, ({ because }) => because)];
  return reasons.map(([because, those]) => `**${because}**\n\n${tableOf(those)}`).join("\n\n");
}

function tableOf(those: readonly Expected[]): string {
  const rows = those.map(({ cases, on, where, go, ours }) => {
    const which = `${cases.map((one) => (one === "*" ? "all" : one)).join("; ")}${on === undefined ? "" : ` (${on.join(", ")})`}`;
    return `| ${[which, code(where), code(go), code(ours)].map(inCell).join(" | ")} |`;
  });
  return `| cases | field | v5.1.0 | ours |\n|---|---|---|---|\n${rows.join("\n")}`;
}

function code(text: string | undefined): string {
  if (text === "*") return "other words";
  return text === undefined ? "nothing" : `\`${text}\``;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function chapterOf({ says, cases }: Chapter): string {
  const rows = cases.map((one) => `| ${inCell(one.says)} | ${one.on.join(", ")} |`);
  return `### ${says}\n\n| case | drivers |\n|---|---|\n${rows.join("\n")}`;
}
