import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { load } from "js-yaml";

interface Entry {
  readonly name: string;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

interface Kubeconfig {
  readonly clusters: readonly Entry[];
  readonly users: readonly Entry[];
}

/**
 * A copy that leads through a proxy, written beside the original because its paths may be relative. Tokens pass a proxy;
 * a client certificate ends at it, and the server would see somebody else.
 */
export async function writeKubeconfigTo(server: URL, certificate: string, path: string): Promise<string> {
  const config = load(await readFile(path, "utf8")) as Kubeconfig;
  const withCertificate = config.users.find(({ user = {} }) =>
    Object.keys(user).some((key) => key.startsWith("client-")),
  );
  if (withCertificate !== undefined)
    throw new Error(
      `the user ${withCertificate.name} of ${path} has a client certificate, which does not pass a proxy`,
    );
  const cluster = {
    server: server.origin,
    "certificate-authority-data": Buffer.from(certificate).toString("base64"),
  };
  const through = { ...config, clusters: config.clusters.map(({ name }) => ({ name, cluster })) };
  const copy = join(dirname(path), `faults-${server.port}-${basename(path)}.json`);
  await writeFile(copy, JSON.stringify(through), { mode: 0o600 });
  return copy;
}
