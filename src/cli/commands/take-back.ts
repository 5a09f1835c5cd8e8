import { misuse } from "../../api/failure.ts";
import { persistentVolumeClaims } from "../../api/gen/core.ts";
import { bulkFlags } from "../bulk/bulk-flags.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf } from "../kubectl/flags.ts";
import { inWords, nameOf } from "../kubectl/names.ts";
import { shapeFlags, shapeIn } from "../transfer/shape-flags.ts";

export const takeBack = kubeCommand({
  name: "take-back",
  says: "take a give back: while the claim is there, or after it was deleted and nobody has accepted it",
  takes: "CLAIM | -l SELECTOR",
  examples: [
    "kubectl portway take-back data -n team-a",
    "kubectl portway take-back data -n team-a --size 1Gi --class fast",
  ],
  completes: ["claim"],
  flags: { ...shapeFlags, ...bulkFlags, ...dryRunFlag },
  check({ flags, positionals: [name] }) {
    if (flags.selector !== undefined) {
      if (name !== undefined) throw misuse("with -l, no claim is named", "Leave out the one or the other.");
      return void dryRunOf(flags["dry-run"]);
    }
    nameOf(name, "the claim");
    dryRunOf(flags["dry-run"]);
  },
  async run({ flags, positionals: [name], ...session }) {
    if (flags.selector !== undefined) {
      const { takeAllBack } = await import("../bulk/claims.ts");
      const how = { selector: flags.selector, isAgreed: true, dryRun: dryRunOf(flags["dry-run"]) };
      return await takeAllBack(session, how);
    }
    // Loaded here: nobody waits for it who only wants to read a help text.
    const { writeAccept, writeGive } = await import("../transfer/give.ts");
    const place = { namespace: session.namespace, name: nameOf(name, "the claim") };
    const dryRun = dryRunOf(flags["dry-run"]);
    const found = await session.client.find(persistentVolumeClaims, place);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined)
      return await writeGive(session, found, undefined, dryRun);
    if (flags.size === undefined)
      throw misuse(
        `${inWords(place)} is deleted, and a new claim of that name takes its volume back`,
        "Write what it asked for: --size and --class.",
      );
    await writeAccept(session, place, place, shapeIn(flags), dryRun);
  },
});
