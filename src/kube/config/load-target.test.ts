import { deepEqual, equal, rejects } from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { failure, script, secret, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import { defined } from "../../api/defined.ts";
import { loadTarget } from "./load-target.ts";
import type { Target } from "./target.ts";

const directory = await temporaryDirectory();
const ca = testCertificate().certificate;
const kubeconfig = join(directory, "config");
await writeFile(join(directory, "ca.crt"), ca);
await writeFile(
  kubeconfig,
  `
current-context: dev
contexts:
- { name: dev, context: { cluster: here, user: alice, namespace: team-a } }
- { name: open, context: { cluster: plain, user: alice } }
- { name: bare, context: { cluster: serverless } }
clusters:
- name: here
  cluster:
    server: https://10.0.0.1:6443/k8s/clusters/c-1?x=1#y
    certificate-authority: ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
    extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: blue } }]
- { name: public, cluster: { server: "https://api.example" } }
- { name: trusting, cluster: { server: "https://api.example", insecure-skip-tls-verify: true } }
- { name: torn, cluster: { server: "https://api.example", insecure-skip-tls-verify: true, certificate-authority: ca.crt } }
- { name: lost, cluster: { server: "https://api.example", certificate-authority: no-ca.crt } }
- { name: nonsense, cluster: { server: "https://api.example", certificate-authority-data: bm8= } }
- { name: plain, cluster: { server: "http://127.0.0.1:8080" } }
- { name: schemeless, cluster: { server: "user:${secret}@10.0.0.1:6443" } }
- { name: serverless, cluster: {} }
users:
- { name: alice, user: { token: ${secret} } }
- { name: helper, user: { token: t, as: bob, as-groups: [team-b], as-uid: "7", as-user-extra: { reason: [support] } } }
- { name: filed, user: { tokenFile: no-token } }
- { name: group, user: { token: t, as-groups: [team-b] } }
- name: program
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./login
      interactiveMode: Never
      provideClusterInfo: true
`,
);
const given = { env: {}, kubeconfig };

/** All of a target but its credentials, which are asked and not compared. */
const without = ({ server, trust, proxy, namespace, impersonate }: Target) =>
  defined({ server: server.href, trust, proxy, namespace, impersonate });

test("the current context is the target", async () => {
  const target = await loadTarget(given);
  deepEqual(without(target), {
    server: "https://10.0.0.1:6443/k8s/clusters/c-1",
    trust: { ca, serverName: "kubernetes" },
    proxy: new URL("http://proxy:3128"),
    namespace: "team-a",
  });
  deepEqual(await target.credentials.current(), { token: secret });
});

test("KUBECONFIG is used when no file is named", async () => {
  equal((await loadTarget({ env: { KUBECONFIG: kubeconfig } })).namespace, "team-a");
});

test("the caller chooses context, cluster, user and namespace", async () => {
  const target = await loadTarget({ ...given, cluster: "trusting", user: "helper", namespace: "team-c" });
  deepEqual(without(target), {
    server: "https://api.example/",
    trust: { skipVerify: true },
    namespace: "team-c",
    impersonate: { user: "bob", groups: ["team-b"], uid: "7", extra: { reason: ["support"] } },
  });
  equal((await loadTarget({ ...given, context: "open" })).server.href, "http://127.0.0.1:8080/");
});

test("empty words choose nothing", async () => {
  const target = await loadTarget({
    env: { KUBECONFIG: kubeconfig },
    kubeconfig: "",
    context: "",
    cluster: "",
    user: "",
    namespace: "",
    server: "",
  });
  equal(target.namespace, "team-a");
});

test("another server keeps the trust but not the name of the cluster's own", async () => {
  const target = await loadTarget({ ...given, server: "https://10.0.0.2" });
  equal(target.server.href, "https://10.0.0.2/");
  deepEqual(target.trust, { ca });
});

test("whom the caller acts as replaces whom the user acts as", async () => {
  const target = await loadTarget({ ...given, user: "helper", as: { user: "carol" } });
  deepEqual(target.impersonate, { user: "carol" });
});

test("a cluster without an authority is trusted as the system trusts, through the proxy of the environment", async () => {
  const target = await loadTarget({ kubeconfig, env: { HTTPS_PROXY: "proxy:1" }, cluster: "public" });
  deepEqual(target.trust, {});
  equal(target.proxy?.href, "http://proxy:1/");
});

test("no secret is sent over a connection that anybody can read", async () => {
  deepEqual(await (await loadTarget({ ...given, context: "open" })).credentials.current(), {});
});

test("a server alone is enough, without any kubeconfig", async () => {
  const target = await loadTarget({ env: {}, server: "https://10.0.0.2:6443" });
  deepEqual(without(target), { server: "https://10.0.0.2:6443/", trust: {}, namespace: "default" });
  deepEqual(await target.credentials.current(), {});
});

test("an exec plugin is told of the cluster it logs in to", async () => {
  const info = join(directory, "info");
  const status = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token: "t" } };
  await script(directory, "login", `printf %s "$KUBERNETES_EXEC_INFO" > ${info}`, `echo '${JSON.stringify(status)}'`);
  const target = await loadTarget({ ...given, user: "program" });
  deepEqual(await target.credentials.current(), { token: "t" });
  const { spec } = JSON.parse(await readFile(info, "utf8")) as { readonly spec: unknown };
  deepEqual(spec, {
    interactive: false,
    cluster: {
      server: "https://10.0.0.1:6443/k8s/clusters/c-1",
      "tls-server-name": "kubernetes",
      "certificate-authority-data": Buffer.from(ca).toString("base64"),
      "proxy-url": "http://proxy:3128",
      config: { audience: "blue" },
    },
  });
});

const other = testCertificate();
await writeFile(join(directory, "other.crt"), other.certificate);
await writeFile(join(directory, "other.key"), other.key);
const typed = {
  certificateAuthority: join(directory, "other.crt"),
  clientCertificate: join(directory, "other.crt"),
  clientKey: join(directory, "other.key"),
};

const trusted: readonly (readonly [says: string, options: Partial<Parameters<typeof loadTarget>[0]>, trust: object])[] =
  [
    [
      "an authority",
      { certificateAuthority: typed.certificateAuthority },
      { ca: other.certificate, serverName: "kubernetes" },
    ],
    ["no verification", { skipVerify: true }, { serverName: "kubernetes", skipVerify: true }],
    [
      "an authority where the cluster verifies nothing",
      { cluster: "trusting", certificateAuthority: typed.certificateAuthority },
      { ca: other.certificate },
    ],
    ["a name for the certificate", { serverName: "proxy" }, { ca, serverName: "proxy" }],
    ["a server and a name", { server: "https://10.0.0.2", serverName: "proxy" }, { ca, serverName: "proxy" }],
    ["empty words", { serverName: "", certificateAuthority: "" }, { ca, serverName: "kubernetes" }],
  ];

for (const [says, options, trust] of trusted) {
  test(`the caller's word on whom to trust counts: ${says}`, async () => {
    deepEqual((await loadTarget({ ...given, ...options })).trust, trust);
  });
}

test("a token of the caller's stands in for the user's own, whether that is a text, a file or a program", async () => {
  for (const user of ["alice", "filed", "program"]) {
    const target = await loadTarget({ ...given, user, token: "typed" });
    deepEqual(await target.credentials.current(), { token: "typed" });
  }
});

test("a certificate of the caller's is shown beside the user's token, as kubectl does", async () => {
  const { clientCertificate, clientKey } = typed;
  const target = await loadTarget({ ...given, clientCertificate, clientKey });
  const pair = { certificate: other.certificate, key: other.key };
  deepEqual(await target.credentials.current(), { token: secret, clientCertificate: pair });
});

test("a server and credentials of the caller's are enough, without any kubeconfig", async () => {
  const target = await loadTarget({ env: {}, server: "https://10.0.0.2:6443", token: "typed", ...typed });
  deepEqual(without(target), {
    server: "https://10.0.0.2:6443/",
    trust: { ca: other.certificate },
    namespace: "default",
  });
  const { token, clientCertificate } = await target.credentials.current();
  deepEqual([token, clientCertificate?.key], ["typed", other.key]);
});

const podEnv = { KUBERNETES_SERVICE_HOST: "10.0.0.9", KUBERNETES_SERVICE_PORT: "443" };
const serviceAccountDirectory = join(directory, "account");
await mkdir(serviceAccountDirectory);
for (const [file, text] of [
  ["token", secret],
  ["ca.crt", ca],
  ["namespace", "pods"],
] as const)
  await writeFile(join(serviceAccountDirectory, file), text);
const inPod = { env: podEnv, serviceAccountDirectory };

test("a pod without a kubeconfig uses its service account", async () => {
  const target = await loadTarget(inPod);
  deepEqual(without(target), { server: "https://10.0.0.9/", trust: { ca }, namespace: "pods" });
  deepEqual(await target.credentials.current(), { token: secret });
});

test("in a pod, too, the caller chooses the namespace and whom to act as", async () => {
  const target = await loadTarget({ ...inPod, namespace: "team-a", as: { user: "bob" } });
  deepEqual([target.namespace, target.impersonate], ["team-a", { user: "bob" }]);
});

test("in a pod, too, the caller's token and authority count", async () => {
  const { certificateAuthority } = typed;
  const target = await loadTarget({ ...inPod, token: "typed", certificateAuthority });
  deepEqual([target.server.href, target.trust], ["https://10.0.0.9/", { ca: other.certificate }]);
  deepEqual(await target.credentials.current(), { token: "typed" });
});

test("a kubeconfig wins over the service account", async () => {
  const target = await loadTarget({ ...inPod, env: { ...podEnv, KUBECONFIG: kubeconfig } });
  equal(target.namespace, "team-a");
});

test("a context is not found in a service account", async () => {
  await rejects(
    loadTarget({ ...inPod, context: "dev" }),
    failure(/no context "dev" in any kubeconfig: none was found/),
  );
});

test("where nothing is configured, the sentence says where we looked", async () => {
  const options = { env: { KUBECONFIG: "/no/config", HOME: "/no/home" }, serviceAccountDirectory: "/no/account" };
  const sentence = /none of \/no\/config, the service account in \/no\/account$/;
  await rejects(loadTarget(options), failure(sentence, /KUBECONFIG/));
});

const wrong: readonly (readonly [
  says: string,
  options: Partial<Parameters<typeof loadTarget>[0]>,
  sentence: RegExp,
])[] = [
  ["a kubeconfig that is missing", { kubeconfig: "/no/config" }, /kubeconfig \/no\/config does not exist/],
  ["a cluster without a server", { context: "bare" }, /"server" of cluster "serverless" in .*config is not a URL/],
  ["a server without a scheme", { cluster: "schemeless" }, /"server" of cluster "schemeless" in .* is not a URL/],
  ["a server of the caller without a scheme", { server: `user:${secret}@10.0.0.1:6443` }, /^--server is not a URL/],
  ["an authority and no verification", { cluster: "torn" }, /both certificate-authority and insecure-skip-tls-verify/],
  ["an authority that is missing", { cluster: "lost" }, /certificate-authority of cluster "lost" in .* cannot be read/],
  [
    "an authority that is none",
    { cluster: "nonsense" },
    /certificate-authority of cluster "nonsense" .* no certificate/,
  ],
  [
    "an authority and no verification, both from the caller",
    { skipVerify: true, certificateAuthority: typed.certificateAuthority },
    /^--certificate-authority and --insecure-skip-tls-verify contradict each other/,
  ],
  [
    "an authority of the caller's that is missing",
    { certificateAuthority: "no.crt" },
    /^--certificate-authority cannot be read/,
  ],
  ["a key without a certificate", { clientKey: typed.clientKey }, /^--client-key has no certificate/],
  [
    "a certificate without a key",
    { clientCertificate: typed.clientCertificate },
    /has a client certificate without a key/,
  ],
  ["groups without a user to act as", { user: "group" }, /user "group" in .* impersonates groups, .* without a user/],
];

for (const [says, options, sentence] of wrong) {
  test(`is refused in one sentence: ${says}`, async () => {
    await rejects(loadTarget({ ...given, ...options }), failure(sentence));
  });
}
