import { misuse } from "../../api/failure.ts";
import { shellNames } from "../bucket/environment.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { oneOf, yesFlag } from "../kubectl/flags.ts";
import { inWords, nameOf } from "../kubectl/names.ts";
import { dataText } from "../kubectl/print.ts";

export const bucketEnv = kubeCommand({
  name: "env",
  says: "print the keys of a bucket for a shell, or write them as a profile of AWS's tools",
  takes: "NAME",
  examples: [
    'eval "$(kubectl portway bucket env photos)"',
    "kubectl portway bucket env photos --shell fish | source",
    "kubectl portway bucket env photos --profile photos",
  ],
  completes: ["bucket"],
  flags: {
    shell: { says: "whose words (sh)", value: shellNames.join("|") },
    profile: { says: "write this profile instead, and print nothing", value: "NAME" },
    file: {
      says: "all of the profile into this file, for AWS_CONFIG_FILE; AWS's own two when not given",
      value: "PATH",
    },
    yes: { ...yesFlag.yes, says: "replace a profile of that name that somebody else has written" },
  },
  check({ flags, positionals }) {
    nameOf(positionals[0], "the Bucket");
    oneOf(shellNames, flags.shell ?? "sh", "--shell");
    requireOneWay(flags);
    requireProfileName(flags.profile);
  },
  async run({ flags, positionals, call, ...session }) {
    // Loaded here: nobody waits for it who only wants to read a help text.
    const { openBucket } = await import("../bucket/keys.ts");
    const place = { namespace: session.namespace, name: nameOf(positionals[0], "the Bucket") };
    const opened = await openBucket(session, place);
    const { terminal, output } = session;
    const { profile, file } = flags;
    if (profile !== undefined) {
      const { writeProfile } = await import("../bucket/profile-files.ts");
      const files = await writeProfile(terminal, opened, { profile, file, isAgreed: flags.yes, env: call.env });
      const use = file === undefined ? "" : `AWS_CONFIG_FILE=${file} `;
      terminal.say(`The keys of ${inWords(place)} are the profile ${profile} in ${files.join(" and ")}:`);
      return terminal.say(`  ${use}aws --profile ${profile} s3 ls s3://${opened.credentials.bucketName}`);
    }
    const { environmentOf, linesFor } = await import("../bucket/environment.ts");
    const environment = environmentOf(opened.credentials);
    if (output === "json" || output === "yaml") return terminal.result(await dataText(output, environment));
    terminal.result(linesFor(oneOf(shellNames, flags.shell ?? "sh", "--shell"), environment).join("\n"));
  },
});

interface Ways {
  readonly shell: string | undefined;
  readonly profile: string | undefined;
  readonly file: string | undefined;
  readonly output: string | undefined;
}

function requireOneWay({ shell, profile, file, output }: Ways): void {
  if (output === "name") throw misuse("keys have no name", "Write -o json, yaml or nothing.");
  if (shell !== undefined && profile !== undefined)
    throw misuse("--shell and --profile are two ways", "Leave out the one or the other.");
  if (file !== undefined && profile === undefined)
    throw misuse("--file needs --profile", "Name the profile too; to keep the lines for a shell, write > FILE.");
  if (output !== undefined && (profile !== undefined || shell !== undefined))
    throw misuse("-o prints the keys as data", `Leave out -o, or --${profile === undefined ? "shell" : "profile"}.`);
}

/** What every library of AWS's takes between the brackets. */
function requireProfileName(name: string | undefined): void {
  if (name === undefined || /^[\w@+.%:/-]+$/.test(name)) return;
  throw misuse(`"${name}" is no name of a profile`, "Write letters, digits, dashes, dots and underscores.");
}
