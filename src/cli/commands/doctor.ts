import { Failure } from "../../api/failure.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { yesFlag } from "../kubectl/flags.ts";
import { dataText } from "../kubectl/print.ts";

const usualPatience = "10m";

export const doctor = kubeCommand({
  name: "doctor",
  says: "whether Portway is installed, at work and in nobody's way, and what to do where it is not",
  examples: ["kubectl portway doctor -n team-a", "kubectl portway doctor --stuck-after=1h -o json"],
  flags: {
    "stuck-after": { says: `tell transfers that have been open for longer (${usualPatience})`, value: "DURATION" },
    "release-holds": { says: "let given claims go that are not locked; before Portway is removed for good" },
    ...yesFlag,
  },
  check({ flags }) {
    durationOf(flags["stuck-after"] ?? usualPatience, "--stuck-after");
  },
  async run({ flags, call, ...session }) {
    const { output, terminal } = session;
    if (flags["release-holds"]) {
      const { releaseHolds } = await import("../doctor/held.ts");
      return await releaseHolds(session, flags.yes);
    }
    if (output === "name") throw new Failure("an examination has no name", "Write -o json, yaml or nothing.");
    const { examine, examinationText } = await import("../doctor/examine.ts");
    const stuckAfterSeconds = durationOf(flags["stuck-after"] ?? usualPatience, "--stuck-after");
    const found = await examine(session, { version: call.version ?? "0", stuckAfterSeconds });
    if (output === "json" || output === "yaml") terminal.result(await dataText(output, found));
    else {
      terminal.result(examinationText(found, terminal.colours === true));
      for (const { what, why } of found.unseen) terminal.say(`not seen: ${what} (${why})`);
    }
    return found.healthy ? 0 : 1;
  },
});
