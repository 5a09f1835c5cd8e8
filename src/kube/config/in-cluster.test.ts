import { deepEqual, equal, rejects } from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { failure, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import { inCluster } from "./in-cluster.ts";
import { loadTarget } from "./load-target.ts";
import type { Target } from "./target.ts";

const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
const ca = testCertificate().certificate;
const home = await temporaryDirectory();

interface ServiceAccount {
  readonly token?: string;
  readonly "ca.crt"?: string;
  readonly namespace?: string;
}

async function accountIn(name: string, account: ServiceAccount): Promise<string> {
  const directory = join(home, name);
  await mkdir(directory);
  for (const [file, text] of Object.entries(account)) await writeFile(join(directory, file), String(text));
  return directory;
}

async function targetIn(env: Readonly<Record<string, string>>, directory: string): Promise<Target> {
  return await loadTarget({ env, serviceAccountDirectory: directory });
}

test("a pod talks to the service with its token, trust and namespace", async () => {
  const directory = await accountIn("pod", { token: "one\n", "ca.crt": ca, namespace: "team-a\n" });
  const target = await targetIn(env, directory);
  equal(target.server.href, "https://10.0.0.1/");
  deepEqual(target.trust, { ca });
  equal(target.namespace, "team-a");
  equal(target.proxy, undefined);
  deepEqual(await target.credentials.current(), { token: "one" });
});

test("the token is read again when kubelet swaps the directory behind it", async () => {
  await accountIn("..first", { token: "one" });
  await accountIn("..later", { token: "two" });
  const directory = await accountIn("swapped", { "ca.crt": ca });
  await symlink(join(home, "..first"), join(directory, "..data"));
  await symlink("..data/token", join(directory, "token"));
  const target = await targetIn(env, directory);
  deepEqual(await target.credentials.current(), { token: "one" });
  await rm(join(directory, "..data"));
  await symlink(join(home, "..later"), join(directory, "..data"));
  deepEqual(await target.credentials.current(), { token: "two" });
  equal(target.credentials.forget(), true);
});

test("an IPv6 host stands in brackets", async () => {
  const directory = await accountIn("ipv6", { token: "one", "ca.crt": ca });
  const target = await targetIn({ KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" }, directory);
  equal(target.server.href, "https://[fd00::1]:6443/");
});

test("a pod without a namespace file is in default", async () => {
  equal((await targetIn(env, await accountIn("default", { token: "one", "ca.crt": ca }))).namespace, "default");
});

test("a namespace file that cannot be read is not taken for none", async () => {
  const directory = await accountIn("namespaceless", { token: "one", "ca.crt": ca });
  await mkdir(join(directory, "namespace"));
  await rejects(targetIn(env, directory), failure(/the namespace of the service account cannot be read/));
});

test("a pod uses the proxy of its environment", async () => {
  const directory = await accountIn("proxy", { token: "one", "ca.crt": ca });
  equal((await targetIn({ ...env, HTTPS_PROXY: "http://proxy" }, directory)).proxy?.href, "http://proxy/");
});

test("without a token, a host or a port, this is no pod", async () => {
  const directory = await accountIn("no-pod", { token: "one", "ca.crt": ca });
  equal(await inCluster(env, join(home, "nowhere")), undefined);
  equal(await inCluster({ ...env, KUBERNETES_SERVICE_HOST: "" }, directory), undefined);
  equal(await inCluster({ ...env, KUBERNETES_SERVICE_PORT: undefined }, directory), undefined);
});

test("a pod that cannot know its server is refused", async () => {
  const without = await accountIn("no-ca", { token: "one" });
  await rejects(targetIn(env, without), failure(/ca.crt of the service account cannot be read: .* does not exist/));
  const nonsense = await accountIn("bad-ca", { token: "one", "ca.crt": "nonsense" });
  await rejects(targetIn(env, nonsense), failure(/ca.crt of the service account holds no certificate in PEM/));
});

test("an address that is none is refused", async () => {
  const directory = await accountIn("no-address", { token: "one", "ca.crt": ca });
  const wrong = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "tcp://10.0.0.1:443" };
  await rejects(targetIn(wrong, directory), failure(/KUBERNETES_SERVICE_PORT "tcp:.*" are no address/));
});
