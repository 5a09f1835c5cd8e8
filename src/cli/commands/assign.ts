import { durationOf } from "../../runtime/flag-values.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf, yesFlag } from "../kubectl/flags.ts";
import { nameOf, placeOf } from "../kubectl/names.ts";

export const assign = kubeCommand({
  name: "assign",
  says: "give a volume that lost both its claims to a claim; for administrators",
  takes: "VOLUME NAMESPACE/NAME",
  examples: ["kubectl portway assign pvc-1f2e team-a/rescued"],
  completes: ["volume"],
  flags: {
    "restore-policy": { says: "put the old reclaim policy back; without it the volume keeps Retain" },
    timeout: { says: "how long to wait for Kubernetes to bind it (1m)", value: "DURATION" },
    ...yesFlag,
    ...dryRunFlag,
  },
  check({ flags, positionals: [volume, claim] }) {
    nameOf(volume, "the volume");
    placeOf(claim, "the claim");
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "1m", "--timeout");
  },
  async run({ flags, positionals: [volume = "", claim], ...session }) {
    const { assignVolume } = await import("../transfer/assign.ts");
    await assignVolume(session, {
      volume,
      place: placeOf(claim, "the claim"),
      restoresPolicy: flags["restore-policy"],
      isAgreed: flags.yes,
      dryRun: dryRunOf(flags["dry-run"]),
      timeoutSeconds: durationOf(flags.timeout ?? "1m", "--timeout"),
    });
  },
});
