import { Failure } from "../../api/failure.ts";
import { type Environment, variable } from "./environment.ts";
import type { Cluster } from "./kubeconfig.ts";
import { isDirect } from "./no-proxy.ts";

/** `proxy-url` of the cluster, else what the environment says. A proxy's URL may hold a password: no sentence quotes it. */
export function proxyFor(server: URL, cluster: Cluster | undefined, env: Environment): URL | undefined {
  if (cluster?.proxyUrl !== undefined) return proxyIn(cluster.proxyUrl, `proxy-url of ${cluster.place}`);
  const name = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const url = eitherCase(env, name);
  if (url === undefined || isDirect(server, eitherCase(env, "NO_PROXY") ?? "")) return undefined;
  return proxyIn(url.includes("://") ? url : `http://${url}`, `the environment variable ${name}`);
}

function proxyIn(words: string, what: string): URL {
  const url = URL.parse(words);
  if (url?.protocol.startsWith("socks"))
    throw new Failure(`${what} is a SOCKS proxy, and Portway cannot use those`, "Name an http or https proxy.");
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url;
  throw new Failure(`${what} is not a URL of a proxy`, "Write it like http://proxy.example:3128.");
}

function eitherCase(env: Environment, name: string): string | undefined {
  return variable(env, name) ?? variable(env, name.toLowerCase());
}
