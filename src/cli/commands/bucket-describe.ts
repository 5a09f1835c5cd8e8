import { misuse } from "../../api/failure.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { nameOf } from "../kubectl/names.ts";
import { dataText } from "../kubectl/print.ts";

export const bucketDescribe = kubeCommand({
  name: "describe",
  says: "everything about a bucket but its keys: what it is, where it is, what was told, what to do next",
  takes: "NAME",
  examples: ["kubectl portway bucket describe photos -n team-a"],
  completes: ["bucket"],
  flags: {},
  check({ flags, positionals }) {
    nameOf(positionals[0], "the Bucket");
    if (flags.output === "name") throw misuse("a description has no name", "Write -o json, yaml or nothing.");
  },
  async run({ positionals, ...session }) {
    const { description } = await import("../bucket/describe.ts");
    const name = nameOf(positionals[0], "the Bucket");
    const found = await description(session, { namespace: session.namespace, name });
    const { output, terminal } = session;
    if (output === "json" || output === "yaml") return terminal.result(await dataText(output, found));
    const { descriptionText } = await import("../bucket/description-text.ts");
    terminal.result(descriptionText(found, new Date()));
  },
});
