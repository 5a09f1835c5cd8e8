import { Failure, misuse } from "../../api/failure.ts";
import { kubeCommand } from "../kubectl/command.ts";
import { nameOf } from "../kubectl/names.ts";
import { dataText } from "../kubectl/print.ts";

const kinds: Readonly<Record<string, "request" | "approval" | "pvc" | "pv" | "bucket">> = {
  request: "request",
  str: "request",
  storagetransferrequest: "request",
  storagetransferrequests: "request",
  approval: "approval",
  sta: "approval",
  storagetransferapproval: "approval",
  storagetransferapprovals: "approval",
  pvc: "pvc",
  persistentvolumeclaim: "pvc",
  persistentvolumeclaims: "pvc",
  pv: "pv",
  persistentvolume: "pv",
  persistentvolumes: "pv",
  bucket: "bucket",
  buckets: "bucket",
};

export const explain = kubeCommand({
  name: "explain",
  says: "why a transfer or a bucket is where it is: the rule that holds, and what you may not see",
  takes: "TYPE/NAME",
  examples: [
    "kubectl portway explain request/transfer-data",
    "kubectl portway explain pv/pv-1 -o json",
    "kubectl portway explain bucket/photos",
  ],
  completes: ["object"],
  flags: {},
  check({ positionals }) {
    subjectOf(positionals[0]);
  },
  async run({ positionals, ...session }) {
    const { kind, name } = subjectOf(positionals[0]);
    const explanation =
      kind === "bucket"
        ? await (await import("../bucket/explain.ts")).explainedBucket(session, name)
        : await (await import("../transfer/explain.ts")).explained(session, kind, name);
    const { output } = session;
    if (output === "name") throw new Failure("an explanation has no name", "Write -o json, yaml or nothing.");
    if (output === "json" || output === "yaml") return session.terminal.result(await dataText(output, explanation));
    const { explanationText } = await import("../explain/explanation.ts");
    session.terminal.result(explanationText(explanation));
  },
});

function subjectOf(text: string | undefined) {
  const [type = "", name = "", ...more] = (text ?? "").split("/");
  const kind = kinds[type.toLowerCase()];
  if (kind !== undefined && name !== "" && more.length === 0) return { kind, name: nameOf(name, `the ${kind}`) };
  throw misuse(
    text === undefined ? "TYPE/NAME is missing" : `"${text}" is nothing that can be explained`,
    "Write request/NAME, approval/NAME, pvc/NAME, pv/NAME or bucket/NAME.",
  );
}
