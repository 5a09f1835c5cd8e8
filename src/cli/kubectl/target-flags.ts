import { defined } from "../../api/defined.ts";
import { misuse } from "../../api/failure.ts";
import type { TargetOptions } from "../../kube/config/load-target.ts";
import type { Impersonation } from "../../kube/config/target.ts";
import type { ClientFlagValues } from "./flags.ts";
import { namespaceOf } from "./names.ts";

/** Which server, and as whom, in the words of kubectl's flags. */
export function targetOf(flags: ClientFlagValues): Omit<TargetOptions, "env"> {
  const { kubeconfig, context, cluster, user, namespace = "", server, token } = flags;
  return {
    ...defined({ kubeconfig, context, cluster, user, server, token, as: impersonatedBy(flags) }),
    ...defined({
      serverName: flags["tls-server-name"],
      certificateAuthority: flags["certificate-authority"],
      skipVerify: flags["insecure-skip-tls-verify"] ? true : undefined,
      clientCertificate: flags["client-certificate"],
      clientKey: flags["client-key"],
    }),
    ...(namespace === "" ? {} : { namespace: namespaceOf(namespace, "the namespace") }),
  };
}

function impersonatedBy(flags: ClientFlagValues): Impersonation | undefined {
  const { as = "", "as-group": groups, "as-uid": uid = "", "as-user-extra": pairs } = flags;
  const more = [groups.length > 0 && "--as-group", uid !== "" && "--as-uid", pairs.length > 0 && "--as-user-extra"];
  const alone = more.find((flag) => flag !== false);
  if (as === "" && alone !== undefined) throw misuse(`${alone} needs --as`, "Name the user with --as too.");
  if (as === "") return undefined;
  return {
    user: as,
    ...(groups.length === 0 ? {} : { groups }),
    ...(uid === "" ? {} : { uid }),
    ...(pairs.length === 0 ? {} : { extra: extraIn(pairs) }),
  };
}

function extraIn(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, string[]> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw misuse(`--as-user-extra is no KEY=VALUE: "${pair}"`, "Write it like reason=support.");
    (extra[pair.slice(0, at)] ??= []).push(pair.slice(at + 1));
  }
  return extra;
}
