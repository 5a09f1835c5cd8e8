import { deepEqual, equal } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { testCertificate } from "../fixture/certificate.ts";
import { personWith } from "./person.ts";
import { cliStage } from "./stage.ts";

const { cluster } = await cliStage({ controller: false });
const folder = await mkdtemp(join(tmpdir(), "pw-flags-"));
after(() => rm(folder, { recursive: true, force: true }));

interface Flattened {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

/** What the admin's kubeconfig holds, in the words of the flags. */
const flat = JSON.parse(
  await cluster.kubectl(["config", "view", "--minify", "--flatten", "--raw", "-o", "json"]),
) as Flattened;
const { server = "", "certificate-authority-data": authority = "" } = flat.clusters[0]?.cluster ?? {};
const { token = "" } = flat.users[0]?.user ?? {};
const one = testCertificate();
const pathOf = (name: string) => join(folder, name);
for (const [name, text] of Object.entries({
  "ca.crt": Buffer.from(authority, "base64").toString(),
  "one.crt": one.certificate,
  "one.key": one.key,
}))
  await writeFile(pathOf(name), text, { mode: 0o600 });

const none = join(folder, "no-such-kubeconfig");
const alices = cluster.kubeconfigOf("alice");
const entry = ["-s", server, `--certificate-authority=${pathOf("ca.crt")}`];
const asAdmin = [`--token=${token}`];
/** The server here asks nobody for a certificate; one that is shown is no harm. */
const pair = [`--client-certificate=${pathOf("one.crt")}`, `--client-key=${pathOf("one.key")}`];

/** With which kubeconfig and which flags, and whether the server then lists all requests. */
const cases: readonly (readonly [says: string, kubeconfig: string, flags: readonly string[], works: boolean])[] = [
  ["no kubeconfig and no flags", none, [], false],
  ["a server, its authority and a token", none, [...entry, ...asAdmin], true],
  ["a certificate and its key beside them", none, [...entry, ...asAdmin, ...pair], true],
  ["a server that nobody vouches for", none, ["-s", server, ...asAdmin], false],
  ["a server that is not verified", none, ["-s", server, "--insecure-skip-tls-verify", ...asAdmin], true],
  ["a token that is none", none, [...entry, "--token=nonsense"], false],
  ["a name that the certificate has", none, [...entry, ...asAdmin, "--tls-server-name=kubernetes.default.svc"], true],
  ["a name that it does not have", none, [...entry, ...asAdmin, "--tls-server-name=elsewhere"], false],
  ["alice, who may not", alices, [], false],
  ["alice's kubeconfig and somebody else's token", alices, asAdmin, true],
  ["alice's kubeconfig and another server's address", alices, ["--server=https://127.0.0.1:1"], false],
  ["the administrator as alice", none, [...entry, ...asAdmin, "--as=alice"], false],
  ["the same in another group", none, [...entry, ...asAdmin, "--as=alice", "--as-group=system:masters"], true],
  ["the same with a uid", none, [...entry, ...asAdmin, "--as=a", "--as-uid=7", "--as-group=system:masters"], true],
  ["a user that the kubeconfig does not know", alices, ["--user=nobody"], false],
  ["a cluster that the kubeconfig does not know", alices, ["--cluster=nowhere"], false],
  ["a timeout in plain seconds", none, [...entry, ...asAdmin, "--request-timeout=30"], true],
];

async function byKubectl(kubeconfig: string, words: readonly string[]): Promise<boolean> {
  const program = join(cluster.directory, "bin", "kubectl");
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return await promisify(execFile)(program, [...words], { env }).then(
    () => true,
    () => false,
  );
}

for (const [says, kubeconfig, flags, works] of cases) {
  test(`as in kubectl: ${says} ${works ? "works" : "does not work"}`, async (t) => {
    equal(await byKubectl(kubeconfig, ["get", "storagetransferrequests", "-A", ...flags]), works, "kubectl's answer");
    const { code, stderr } = await personWith(t, kubeconfig).says("status", "-A", ...flags);
    equal(code, works ? 0 : 1, stderr);
  });
}

test("whom one acts as reaches the server to the letter", async (t) => {
  const review = "apiVersion: authentication.k8s.io/v1\nkind: SelfSubjectReview\nmetadata: { generateName: whoami- }\n";
  const who = [
    "--as=bob",
    "--as-uid=7",
    "--as-group=team-b",
    "--as-user-extra=reason=support",
    "--as-user-extra=reason=x",
  ];
  const words = ["apply", "-f", "-", "-o", "json", ...entry, ...asAdmin, ...who];
  const { code, stdout, stderr } = await personWith(t, none).pipes(review, ...words);
  equal(code, 0, stderr);
  const { status } = JSON.parse(stdout) as { readonly status: { readonly userInfo: object } };
  deepEqual(status.userInfo, {
    username: "bob",
    uid: "7",
    groups: ["team-b", "system:authenticated"],
    extra: { reason: ["support", "x"] },
  });
});
