import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { failure, script, secret, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import { credentialsOf } from "./credentials.ts";
import type { KeyPair } from "./key-pair.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";
import type { CredentialSource } from "./target.ts";

const directory = await temporaryDirectory();
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The credentials of a user with these fields in a kubeconfig of the temporary directory. */
function credentials(user: Readonly<Record<string, unknown>>): CredentialSource {
  const config = parseKubeconfig(join(directory, "config"), JSON.stringify({ users: [{ name: "alice", user }] }));
  const alice = config.users.get("alice");
  if (alice === undefined) throw new Error("the kubeconfig of the test has no alice");
  const cluster = {
    server: "https://10.0.0.1",
    "tls-server-name": undefined,
    "insecure-skip-tls-verify": undefined,
    "certificate-authority-data": undefined,
    "proxy-url": undefined,
    config: undefined,
  };
  return credentialsOf(alice, { PATH: process.env["PATH"] }, cluster);
}

test("a token is sent, and asking again does not change it", async () => {
  const source = credentials({ token: secret });
  deepEqual(await source.current(), { token: secret });
  equal(source.forget(), false);
});

test("a token file wins over a token, without its line end, and is read again when it changes", async () => {
  await writeFile(join(directory, "token"), "first\n");
  const source = credentials({ token: "written", tokenFile: "token" });
  deepEqual(await source.current(), { token: "first" });
  await writeFile(join(directory, "token"), "the second\n");
  deepEqual(await source.current(), { token: "the second" });
  equal(source.forget(), true);
});

test("a token file that is missing or empty is refused", async () => {
  await rejects(
    credentials({ tokenFile: "no-token" }).current(),
    failure(/the token of user "alice" .* does not exist/),
  );
  await writeFile(join(directory, "empty-token"), "\n");
  await rejects(credentials({ tokenFile: "empty-token" }).current(), failure(/the token of user "alice" .* is empty/));
});

test("a user name and a password are sent", async () => {
  const source = credentials({ username: "alice", password: secret });
  deepEqual(await source.current(), { basic: { user: "alice", password: secret } });
  equal(source.forget(), false);
});

test("a certificate and a key from the kubeconfig itself are sent, beside a token", async () => {
  const pair = testCertificate();
  const data = { "client-certificate-data": base64(pair.certificate), "client-key-data": base64(pair.key) };
  const source = credentials({ ...data, token: secret });
  deepEqual(await source.current(), { token: secret, clientCertificate: pair });
});

async function store(pair: Partial<KeyPair>): Promise<void> {
  if (pair.certificate !== undefined) await writeFile(join(directory, "tls.crt"), pair.certificate);
  if (pair.key !== undefined) await writeFile(join(directory, "tls.key"), pair.key);
}

test("a new certificate is sent only together with its new key", async () => {
  const [old, fresh] = [testCertificate(), testCertificate()];
  await store(old);
  const source = credentials({ "client-certificate": "tls.crt", "client-key": "tls.key" });
  deepEqual(await source.current(), { clientCertificate: old });
  await rm(join(directory, "tls.crt"));
  await store({ certificate: fresh.certificate });
  deepEqual(await source.current(), { clientCertificate: old });
  await rm(join(directory, "tls.key"));
  await store({ key: fresh.key });
  deepEqual(await source.current(), { clientCertificate: fresh });
  equal(source.forget(), true);
});

test("a certificate file that is missing is refused", async () => {
  const source = credentials({ "client-certificate": "none.crt", "client-key": "none.key" });
  await rejects(source.current(), failure(/client-certificate of user "alice" .* does not exist/));
});

test("an exec plugin beside the kubeconfig is run", async () => {
  const status = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token: secret } };
  await script(directory, "login", `echo '${JSON.stringify(status)}'`);
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "./login", interactiveMode: "Never" };
  deepEqual(await credentials({ exec }).current(), { token: secret });
});

test("an exec plugin is left alone when there are other credentials", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "/does/not/exist" };
  deepEqual(await credentials({ exec, token: secret }).current(), { token: secret });
});

test("a user without credentials is anonymous", async () => {
  const source = credentials({});
  deepEqual(await source.current(), {});
  equal(source.forget(), false);
});

const wrong: readonly (readonly [says: string, user: Readonly<Record<string, unknown>>, sentence: RegExp])[] = [
  ["a token and a password", { token: secret, username: "alice", password: secret }, /both a token and a password/],
  ["a certificate without a key", { "client-certificate": "tls.crt" }, /a client certificate without a key/],
  [
    "an auth provider that is gone",
    { "auth-provider": { name: "gcp", config: { "access-token": secret } } },
    /the auth-provider "gcp" of user "alice" .* is no longer supported by Kubernetes/,
  ],
  ["the auth provider that is left", { "auth-provider": { name: "oidc" } }, /"oidc" .* is not supported by Portway/],
  ["an exec plugin that cannot be run", { exec: { command: "login" } }, /has the apiVersion "", which is not/],
];

for (const [says, user, sentence] of wrong) {
  test(`is refused: ${says}`, () => throws(() => credentials(user), failure(sentence)));
}

test("who has an auth provider is told of exec", () => {
  throws(() => credentials({ "auth-provider": { name: "azure" } }), failure(/azure/, /Use an exec credential plugin/));
});
