import { Failure, misuse } from "../../api/failure.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf } from "../kubectl/flags.ts";

export const apply = kubeCommand({
  name: "apply",
  says: "send YAML as people paste it: what no server would take is rewritten, and you see how",
  examples: ["kubectl portway apply -f request.yaml", "kubectl portway apply -f - --dry-run=client -o yaml"],
  flags: {
    filename: { says: "a file, or - for what is piped in", value: "FILE", short: "f", repeatable: true },
    "force-conflicts": { says: "take over fields that somebody else has set" },
    ...dryRunFlag,
  },
  check({ flags }) {
    if (flags.filename.length === 0) throw misuse("-f is missing", "Name a file, or - for what is piped in.");
    dryRunOf(flags["dry-run"]);
  },
  async run({ flags, ...session }) {
    const { wantedIn } = await import("../apply/documents.ts");
    const { addressed, sendAll } = await import("../apply/send.ts");
    const wanted = [];
    for (const file of flags.filename) wanted.push(...wantedIn(await contentOf(file), file));
    for (const { place, object, notes } of wanted)
      for (const note of notes)
        session.terminal.say(`${place}, ${object.kind ?? ""} ${object.metadata.name ?? ""}: ${note}`);
    const all = await addressed(session, wanted);
    await sendAll(session, all, { dryRun: dryRunOf(flags["dry-run"]), force: flags["force-conflicts"] });
  },
});

async function contentOf(file: string): Promise<string> {
  if (file === "-") {
    const { text } = await import("node:stream/consumers");
    return await text(process.stdin);
  }
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(file, "utf8");
  } catch (problem) {
    const { code = "an unknown error" } = problem as NodeJS.ErrnoException;
    throw new Failure(`${file} cannot be read (${code})`, "Check the path.", { cause: problem });
  }
}
