import { stat } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { Failure } from "../../api/failure.ts";
import { type Environment, variable } from "./environment.ts";
import { blankCluster, blankUser } from "./kubeconfig.ts";
import type { Picked } from "./pick.ts";
import { errorCode, textOf } from "./source.ts";

const place = "the service account";

/** What a pod's service account stands for, as if a kubeconfig said it; none when this is not a pod that has one. */
export async function inCluster(env: Environment, directory: string): Promise<Picked | undefined> {
  const [host, port] = [variable(env, "KUBERNETES_SERVICE_HOST"), variable(env, "KUBERNETES_SERVICE_PORT")];
  const token = { what: "the token of the service account", path: join(directory, "token") };
  if (host === undefined || port === undefined || !(await isThere(token.path))) return undefined;
  const ca = { what: "ca.crt of the service account", path: join(directory, "ca.crt") };
  return {
    cluster: { ...blankCluster(place), server: serverAt(host, port).href, ca },
    user: { ...blankUser(place), token },
    namespace: await namespaceIn(directory),
  };
}

function serverAt(host: string, port: string): URL {
  const server = URL.parse(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`);
  if (server !== null) return server;
  throw new Failure(
    `KUBERNETES_SERVICE_HOST "${host}" and KUBERNETES_SERVICE_PORT "${port}" are no address`,
    "Leave them to kubelet, or name a kubeconfig.",
  );
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (problem: unknown) => errorCode(problem) !== "ENOENT",
  );
}

async function namespaceIn(directory: string): Promise<string> {
  const source = { what: "the namespace of the service account", path: join(directory, "namespace") };
  return ((await isThere(source.path)) && (await textOf(source)).trim()) || "default";
}
