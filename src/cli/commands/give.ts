import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { bulkFlags, otherNamespace } from "../bulk/bulk-flags.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { confirm } from "../kubectl/confirm.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { inWords, nameOf, placeOf } from "../kubectl/names.ts";
import { printDone } from "../kubectl/print.ts";

export const give = kubeCommand({
  name: "give",
  says: "give a claim away, with its volume and all its data",
  takes: "CLAIM TARGET_NS/TARGET_NAME | -l SELECTOR TARGET_NS",
  examples: [
    "kubectl portway give data team-b/data -n team-a",
    "kubectl portway give -l app=shop team-b --delete --yes",
  ],
  completes: ["claim"],
  flags: { delete: { says: "delete the claim at once; its volume is kept" }, ...bulkFlags, ...yesFlag, ...dryRunFlag },
  check({ flags, positionals }) {
    const [name, target] = positionals;
    dryRunOf(flags["dry-run"]);
    if (flags.selector !== undefined) return void otherNamespace(positionals, "TARGET_NS");
    nameOf(name, "the claim");
    placeOf(target, "the target");
  },
  async run({ flags, positionals, ...session }) {
    const [name, to] = positionals;
    const { selector, delete: deletes, yes: isAgreed } = flags;
    if (selector !== undefined) {
      const { giveAll } = await import("../bulk/claims.ts");
      const how = { selector, deletes, isAgreed: isAgreed || !deletes, dryRun: dryRunOf(flags["dry-run"]) };
      return await giveAll(session, otherNamespace(positionals, "TARGET_NS"), how);
    }
    // Loaded here: nobody waits for it who only wants to read a help text.
    const { acceptLine, claimAt, shapeOf, writeGive } = await import("../transfer/give.ts");
    const source = { namespace: session.namespace, name: nameOf(name, "the claim") };
    const target = placeOf(to, "the target");
    const dryRun = dryRunOf(flags["dry-run"]);
    const claim = await claimAt(session, source);
    const plan = [
      `The claim ${inWords(source)} is given to ${inWords(target)}: whoever accepts it there gets its volume when it is deleted here.`,
      ...(flags.delete ? [`${inWords(source)} is deleted now; its volume waits, and is kept.`] : []),
    ];
    await confirm(session.terminal, plan, flags.yes || dryRun !== "none" || !flags.delete);
    await writeGive(session, claim, target, dryRun);
    if (flags.delete && dryRun === "none") {
      const { uid } = claim.metadata;
      await session.client.delete(persistentVolumeClaims, { ...source, uid });
      await printDone(session, persistentVolumeClaims, claim, "deleted");
    }
    session.terminal.say(
      `Somebody in ${target.namespace} accepts it with:\n  ${acceptLine(source, target, shapeOf(claim))}`,
    );
    if (!flags.delete)
      session.terminal.say(`Then delete it here: kubectl delete pvc ${source.name} -n ${source.namespace}`);
  },
});
