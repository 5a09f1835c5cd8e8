import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { failure, secret } from "../../../test/fixture/configuration.ts";
import type { Environment } from "./environment.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";
import { proxyFor } from "./proxy.ts";

const clusterWith = (proxyUrl: string) =>
  parseKubeconfig("/k", JSON.stringify({ clusters: [{ name: "c", cluster: { "proxy-url": proxyUrl } }] })).clusters.get(
    "c",
  );

const api = new URL("https://api.example:6443");
const viaEnvironment = (server: string, env: Environment) => proxyFor(new URL(server), undefined, env)?.href;

test("proxy-url of the cluster counts, whatever the environment says", () => {
  const env = { HTTPS_PROXY: "http://other:1", NO_PROXY: "*" };
  equal(proxyFor(api, clusterWith("http://u:p@proxy:3128"), env)?.href, "http://u:p@proxy:3128/");
  equal(proxyFor(api, clusterWith("https://proxy"), env)?.href, "https://proxy/");
});

test("the environment names a proxy in either case, with or without a scheme", () => {
  equal(viaEnvironment("https://api.example", { HTTPS_PROXY: "http://one:3128" }), "http://one:3128/");
  equal(viaEnvironment("https://api.example", { https_proxy: "one:3128" }), "http://one:3128/");
  equal(viaEnvironment("https://api.example", { HTTPS_PROXY: "https://one" }), "https://one/");
  equal(viaEnvironment("https://api.example", { HTTPS_PROXY: "", https_proxy: "http://two" }), "http://two/");
  equal(viaEnvironment("http://api.example", { HTTP_PROXY: "http://three" }), "http://three/");
});

test("a proxy for the other scheme does not count", () => {
  equal(viaEnvironment("https://api.example", { HTTP_PROXY: "http://one" }), undefined);
  equal(viaEnvironment("http://api.example", { HTTPS_PROXY: "http://one" }), undefined);
  equal(viaEnvironment("https://api.example", {}), undefined);
});

test("no proxy of the environment stands between us and ourselves", () => {
  for (const host of ["localhost", "127.0.0.1", "127.8.9.1", "[::1]"]) {
    equal(viaEnvironment(`https://${host}:6443`, { HTTPS_PROXY: "http://one" }), undefined, host);
  }
});

const noProxy: readonly (readonly [entry: string, server: string, isDirect: boolean])[] = [
  ["*", "https://api.example", true],
  ["api.example", "https://api.example:6443", true],
  [" API.Example ", "https://api.example", true],
  ["example", "https://api.example", true],
  [".example", "https://api.example", true],
  ["*.example", "https://api.example", true],
  ["example", "https://example", true],
  [".example", "https://example", false],
  ["ample", "https://api.example", false],
  ["other,api.example", "https://api.example", true],
  ["other, ,", "https://api.example", false],
  ["api.example:6443", "https://api.example:6443", true],
  ["api.example:6443", "https://api.example", false],
  ["api.example:443", "https://api.example", true],
  [":443", "https://api.example", false],
  ["10.0.0.1", "https://10.0.0.1:6443", true],
  ["10.0.0.1:6443", "https://10.0.0.1:6443", true],
  ["10.0.0.1:443", "https://10.0.0.1:6443", false],
  ["0.0.1", "https://10.0.0.1", false],
  ["10.0.0.0/8", "https://10.200.0.1", true],
  ["10.0.0.0/8", "https://11.0.0.1", false],
  ["10.0.0.0/8", "https://[fd00::1]", false],
  ["10.0.0.0/99", "https://10.0.0.1", false],
  ["10.0.0.0/", "https://10.0.0.0", false],
  ["fd00::/8", "https://[fd00::1]:6443", true],
  ["fd00:0:0::1", "https://[fd00::1]:6443", true],
  ["[fd00::1]:6443", "https://[fd00::1]:6443", true],
  ["[fd00::1]:1", "https://[fd00::1]:6443", false],
  ["fd00::1", "https://api.example", false],
];

for (const [entry, server, isDirect] of noProxy) {
  test(`NO_PROXY=${entry} ${isDirect ? "spares" : "does not spare"} ${server}`, () => {
    equal(viaEnvironment(server, { HTTPS_PROXY: "http://one", NO_PROXY: entry }), isDirect ? undefined : "http://one/");
    equal(viaEnvironment(server, { https_proxy: "http://one", no_proxy: entry }), isDirect ? undefined : "http://one/");
  });
}

const password = `user:${secret}@proxy:1080`;

test("a SOCKS proxy is refused as unsupported", () => {
  for (const scheme of ["socks5", "socks5h", "SOCKS5"]) {
    const cluster = clusterWith(`${scheme}://${password}`);
    throws(
      () => proxyFor(api, cluster, {}),
      failure(/proxy-url of cluster "c" in \/k is a SOCKS proxy, .*cannot/, /http/),
    );
  }
  const env = { HTTPS_PROXY: `socks5://${password}` };
  throws(() => proxyFor(api, undefined, env), failure(/the environment variable HTTPS_PROXY is a SOCKS proxy/));
});

test("a SOCKS proxy that is not to be used is none of our business", () => {
  equal(viaEnvironment("https://localhost", { HTTPS_PROXY: "socks5://proxy" }), undefined);
});

test("what is no URL of a proxy is refused", () => {
  for (const url of [password, `ftp://${password}`, "http://", "proxy"]) {
    throws(
      () => proxyFor(api, clusterWith(url), {}),
      failure(/proxy-url of cluster "c" in \/k is not a URL of a proxy/),
    );
  }
  throws(() => proxyFor(api, undefined, { HTTPS_PROXY: `ftp://${password}` }), failure(/HTTPS_PROXY is not a URL/));
});
