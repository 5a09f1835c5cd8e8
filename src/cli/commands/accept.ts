import { bulkFlags, otherNamespace } from "../bulk/bulk-flags.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf } from "../kubectl/flags.ts";
import { inWords, nameOf, placeOf } from "../kubectl/names.ts";
import { shapeFlags, shapeIn } from "../transfer/shape-flags.ts";

export const accept = kubeCommand({
  name: "accept",
  says: "accept a claim that another namespace gives away",
  takes: "SOURCE_NS/NAME [TARGET_NAME] | -l SELECTOR SOURCE_NS",
  examples: [
    "kubectl portway accept team-a/data -n team-b --size 1Gi --class fast",
    "kubectl portway accept -l app=shop team-a -n team-b",
  ],
  completes: ["other claim"],
  flags: { ...shapeFlags, ...bulkFlags, ...dryRunFlag },
  check({ flags, positionals }) {
    const [from, name] = positionals;
    dryRunOf(flags["dry-run"]);
    if (flags.selector !== undefined) return void otherNamespace(positionals, "SOURCE_NS");
    nameOf(name ?? placeOf(from, "the source").name, "the target");
    shapeIn(flags);
  },
  async run({ flags, positionals, ...session }) {
    const [from, name] = positionals;
    if (flags.selector !== undefined) {
      const { acceptAll } = await import("../bulk/claims.ts");
      const how = { selector: flags.selector, isAgreed: true, dryRun: dryRunOf(flags["dry-run"]) };
      return await acceptAll(session, otherNamespace(positionals, "SOURCE_NS"), how);
    }
    // Loaded here: nobody waits for it who only wants to read a help text.
    const { writeAccept } = await import("../transfer/give.ts");
    const source = placeOf(from, "the source");
    const place = { namespace: session.namespace, name: nameOf(name ?? source.name, "the target") };
    await writeAccept(session, place, source, shapeIn(flags), dryRunOf(flags["dry-run"]));
    session.terminal.say(
      `It waits until ${inWords(source)} is given to ${inWords(place)} and deleted there; it gets no other volume.`,
    );
  },
});
