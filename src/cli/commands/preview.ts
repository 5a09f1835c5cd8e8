import { Failure } from "../../api/failure.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { nameOf, placeOf } from "../kubectl/names.ts";
import { dataText } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { optionsOf, requestFlags, wishOf } from "../transfer/request-flags.ts";

export const preview = kubeCommand({
  name: "preview",
  says: "what a transfer would do, what is in its way, and who would notice; nothing is stored",
  takes: "SOURCE_NS/NAME [TARGET_NAME] | CLAIM TARGET_NS/TARGET_NAME",
  examples: ["kubectl portway preview team-a/data -n team-b", "kubectl portway preview data team-b/data -n team-a"],
  completes: ["other claim"],
  flags: requestFlags,
  check({ flags, positionals }) {
    if (isGive(positionals)) givenIn(positionals, "");
    else wishOf(flags, positionals, "");
    optionsOf(flags);
  },
  async run({ flags, positionals, ...session }) {
    const { previewOf, previewText } = await import("../transfer/preview.ts");
    const { output, terminal } = session;
    if (output === "name") throw new Failure("a preview has no name", "Write -o json, yaml or nothing.");
    const found = isGive(positionals)
      ? await previewOfWords(session, positionals)
      : await previewOf(session, wishOf(flags, positionals, session.namespace), optionsOf(flags));
    terminal.result(output === "json" || output === "yaml" ? await dataText(output, found) : previewText(found));
    const isHopeless = found.tried.some(({ answer }) => answer === "refused");
    return isHopeless ? 1 : 0;
  },
});

/** Words as for `give`: the claim is one's own, and the target is somebody else's. */
function isGive([claim = "", target = ""]: readonly string[]): boolean {
  return !claim.includes("/") && target.includes("/");
}

function givenIn([name, target]: readonly string[], namespace: string) {
  return { source: { namespace, name: nameOf(name, "the claim") }, target: placeOf(target, "the target") };
}

async function previewOfWords(session: Session, words: readonly string[]) {
  const { previewOfGive } = await import("../transfer/preview-give.ts");
  const { source, target } = givenIn(words, session.namespace);
  return await previewOfGive(session, source, target);
}
