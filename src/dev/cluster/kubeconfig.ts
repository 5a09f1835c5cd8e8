import { writeFile } from "node:fs/promises";
import { Failure } from "../../api/failure.ts";

export interface Access {
  readonly server: string;
  readonly certificateAuthority: string;
  readonly user: string;
  readonly token: string;
  readonly namespace?: string;
}

/** A kubeconfig is YAML, and JSON is YAML. */
export async function writeKubeconfig(path: string, access: Access): Promise<string> {
  const name = "portway-dev";
  const context = {
    cluster: name,
    user: access.user,
    ...(access.namespace === undefined ? {} : { namespace: access.namespace }),
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context }],
    clusters: [{ name, cluster: { server: access.server, "certificate-authority": access.certificateAuthority } }],
    users: [{ name: access.user, user: { token: access.token } }],
  };
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return path;
}

/** Tests break things on purpose: they may only ever do so on this machine. */
export function requireLoopback(server: string): void {
  const { hostname } = new URL(server);
  if (/^127(\.\d{1,3}){3}$/.test(hostname) || hostname === "localhost" || hostname === "[::1]") return;
  throw new Failure(`the API server ${server} is not on this machine`, "Tests run against a loopback address only.");
}
