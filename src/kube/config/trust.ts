import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import type { Cluster } from "./kubeconfig.ts";
import { type Source, textOf } from "./source.ts";
import type { Trust } from "./target.ts";

/** How to trust the server of a cluster. */
export async function trustOf(cluster: Cluster): Promise<Trust> {
  if (cluster.skipVerify && cluster.ca !== undefined)
    throw new Failure(
      `${cluster.place} has both certificate-authority and insecure-skip-tls-verify`,
      "Remove one of them: what is not verified needs no authority.",
    );
  return defined({
    ca: cluster.ca && (await trustedIn(cluster.ca)),
    serverName: cluster.serverName,
    skipVerify: cluster.skipVerify || undefined,
  });
}

export async function trustedIn(source: Source): Promise<string> {
  const pem = await textOf(source);
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new Failure(`${source.what} holds no certificate in PEM`, "Name the certificate that signed the server's.");
}
