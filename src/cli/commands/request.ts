import { storageTransferRequests } from "../../api/gen/transfer.ts";
import { durationOf } from "../../runtime/flag-values.ts";
import { bulkFlags, otherNamespace } from "../bulk/bulk-flags.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { dryRunFlag, dryRunOf, waitFlags } from "../kubectl/flags.ts";
import { send } from "../kubectl/send.ts";
import { approveLine, requestOf } from "../transfer/handshake.ts";
import { optionsOf, requestFlags, wishOf } from "../transfer/request-flags.ts";

export const request = kubeCommand({
  name: "request",
  says: "ask for a claim of another namespace, with its volume and all its data",
  takes: "SOURCE_NS/NAME [TARGET_NAME] | -l SELECTOR SOURCE_NS",
  examples: [
    "kubectl portway request team-a/data -n team-b",
    "kubectl portway request team-a/data copy --wait",
    "kubectl portway request -l app=shop team-a -n team-b",
  ],
  completes: ["other claim"],
  flags: { ...requestFlags, ...bulkFlags, ...waitFlags, ...dryRunFlag },
  check({ flags, positionals }) {
    if (flags.selector === undefined) wishOf(flags, positionals, "");
    else otherNamespace(positionals, "SOURCE_NS");
    optionsOf(flags);
    dryRunOf(flags["dry-run"]);
    durationOf(flags.timeout ?? "5m", "--timeout");
  },
  async run({ flags, positionals, ...session }) {
    if (flags.selector !== undefined) {
      const { requestAll } = await import("../bulk/handshakes.ts");
      const how = { selector: flags.selector, isAgreed: true, dryRun: dryRunOf(flags["dry-run"]) };
      return await requestAll(session, otherNamespace(positionals, "SOURCE_NS"), { ...how, options: optionsOf(flags) });
    }
    const wish = wishOf(flags, positionals, session.namespace);
    const asked = requestOf(wish, optionsOf(flags));
    const object = await send(session, storageTransferRequests, asked, dryRunOf(flags["dry-run"]));
    if (object === undefined) return;
    session.terminal.say(
      `Somebody who may delete claims in ${wish.source.namespace} agrees with:\n  ${approveLine(wish)}`,
    );
    if (!flags.wait) return;
    const { followConsent } = await import("../transfer/follow.ts");
    const timeoutSeconds = durationOf(flags.timeout ?? "5m", "--timeout");
    await followConsent(session, { resource: storageTransferRequests, object, target: wish.target, timeoutSeconds });
  },
});
