import { deepEqual, equal, notEqual, rejects } from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import { failure, script, secret, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import type { ExecCluster } from "./exec-info.ts";
import { execPlugin } from "./exec-plugin.ts";
import type { ExecSpec } from "./exec-spec.ts";

const directory = await temporaryDirectory();
const v1 = "client.authentication.k8s.io/v1";
const cluster: ExecCluster = {
  server: "https://10.0.0.1",
  "tls-server-name": undefined,
  "insecure-skip-tls-verify": undefined,
  "certificate-authority-data": "YWJj",
  "proxy-url": undefined,
  config: { audience: "blue" },
};

interface Setting {
  readonly spec?: Partial<ExecSpec>;
  readonly hasTerminal?: boolean;
  readonly timeoutSeconds?: number;
}

function pluginAt(command: string, { spec = {}, hasTerminal = false, timeoutSeconds = 60 }: Setting = {}) {
  const whole: ExecSpec = {
    place: 'the exec plugin of user "alice" in /k',
    apiVersion: v1,
    command,
    args: [],
    env: {},
    installHint: undefined,
    provideClusterInfo: false,
    interactiveMode: "IfAvailable",
    ...spec,
  };
  return execPlugin(whole, { env: { PATH: process.env["PATH"], OURS: "kept" }, cluster, hasTerminal, timeoutSeconds });
}

/** A program of these lines, as a plugin. */
async function plugin(name: string, lines: readonly string[], setting: Setting = {}) {
  return pluginAt(await script(directory, name, ...lines), setting);
}

const answer = (status: unknown, apiVersion = v1) => JSON.stringify({ apiVersion, kind: "ExecCredential", status });
const says = (text: string) => `cat <<'END'\n${text}\nEND`;

/** Prints token-1, token-2 and so on, and can be slow to do so. */
async function counting(name: string, expirationTimestamp?: string) {
  const file = join(directory, `${name}.count`);
  const status = { token: "token-COUNT", ...(expirationTimestamp === undefined ? {} : { expirationTimestamp }) };
  const source = await plugin(name, [
    `echo run >> ${file}`,
    "sleep 0.2",
    `sed "s/COUNT/$(wc -l < ${file})/" <<'END'\n${answer(status)}\nEND`,
  ]);
  return { source, runs: async () => (await readFile(file, "utf8")).trim().split("\n").length };
}

test("what a plugin prints is sent", async () => {
  const source = await plugin("token", [says(answer({ token: secret }))]);
  deepEqual(await source.current(), { token: secret });
});

test("v1beta1 is understood", async () => {
  const apiVersion = "client.authentication.k8s.io/v1beta1";
  const source = await plugin("beta", [says(answer({ token: secret }, apiVersion))], { spec: { apiVersion } });
  deepEqual(await source.current(), { token: secret });
});

test("a certificate with its key is understood", async () => {
  const pair = testCertificate();
  const status = { clientCertificateData: pair.certificate, clientKeyData: pair.key };
  const source = await plugin("certificate", [says(answer(status))]);
  deepEqual(await source.current(), { clientCertificate: pair });
});

test("a plugin gets its arguments, our environment and its own variables", async () => {
  const source = await plugin(
    "arguments",
    [`echo '${answer({ token: "TOKEN" })}' | sed "s/TOKEN/$1 $2 $OURS $REALM/"`],
    {
      spec: { args: ["one", "two words"], env: { REALM: "blue" } },
    },
  );
  deepEqual(await source.current(), { token: "one two words kept blue" });
});

async function infoGiven(name: string, setting: Setting): Promise<unknown> {
  const file = join(directory, `${name}.info`);
  const source = await plugin(
    name,
    [`printf %s "$KUBERNETES_EXEC_INFO" > ${file}`, says(answer({ token: "t" }))],
    setting,
  );
  await source.current();
  return JSON.parse(await readFile(file, "utf8"));
}

test("a plugin is told its version, and of the cluster only when it asks", async () => {
  deepEqual(await infoGiven("info", {}), { apiVersion: v1, kind: "ExecCredential", spec: { interactive: false } });
  deepEqual(await infoGiven("cluster-info", { spec: { provideClusterInfo: true } }), {
    apiVersion: v1,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      cluster: { server: "https://10.0.0.1", "certificate-authority-data": "YWJj", config: { audience: "blue" } },
    },
  });
});

const modes: readonly (readonly [mode: ExecSpec["interactiveMode"], hasTerminal: boolean, interactive: boolean])[] = [
  ["Never", true, false],
  ["IfAvailable", true, true],
  ["IfAvailable", false, false],
  ["Always", true, true],
];

for (const [interactiveMode, hasTerminal, interactive] of modes) {
  const where = hasTerminal ? "in a terminal" : "without a terminal";
  test(`${interactiveMode} ${where} is ${interactive ? "" : "not "}interactive`, async () => {
    const info = await infoGiven(`mode-${interactiveMode}-${hasTerminal}`, { spec: { interactiveMode }, hasTerminal });
    deepEqual(info, { apiVersion: v1, kind: "ExecCredential", spec: { interactive } });
  });
}

test("a plugin that must ask a person is not run without a terminal", async () => {
  const source = pluginAt("/does/not/exist", { spec: { interactiveMode: "Always" } });
  await rejects(
    source.current(),
    failure(/"alice" in \/k wants to ask a person, and standard input is not a terminal/),
  );
});

test("standard input is closed to a plugin that is not interactive", async () => {
  const source = await plugin("stdin", ["cat", says(answer({ token: "t" }))]);
  deepEqual(await source.current(), { token: "t" });
});

test("callers at the same time share one run, later ones its answer", async () => {
  const { source, runs } = await counting("shared");
  const all = await Promise.all([source.current(), source.current(), source.current()]);
  deepEqual(all, [{ token: "token-1" }, { token: "token-1" }, { token: "token-1" }]);
  deepEqual(await source.current(), { token: "token-1" });
  equal(await runs(), 1);
});

test("an answer serves until its time, and not after it", async () => {
  const lasting = await counting("lasting", "2999-01-01T00:00:00Z");
  await lasting.source.current();
  deepEqual(await lasting.source.current(), { token: "token-1" });
  const expired = await counting("expired", "2020-01-01T00:00:00+02:00");
  await expired.source.current();
  deepEqual(await expired.source.current(), { token: "token-2" });
});

test("what was refused is asked for again", async () => {
  const { source } = await counting("refused");
  const old = await source.current();
  equal(source.forget(old), true);
  deepEqual(await source.current(), { token: "token-2" });
  equal(source.forget(), true);
  deepEqual(await source.current(), { token: "token-3" });
});

test("many requests that are refused at once, early and late, start one run", async () => {
  const { source, runs } = await counting("storm");
  const old = await source.current();
  source.forget(old);
  const renewing = source.current();
  source.forget(old);
  notEqual(await renewing, old);
  source.forget(old);
  deepEqual(await source.current(), { token: "token-2" });
  equal(await runs(), 2);
});

test("a run that failed is tried again by the next caller", async () => {
  const marker = join(directory, "logged-in");
  const source = await plugin("recovers", [`test -e ${marker} || exit 3`, says(answer({ token: "t" }))]);
  await rejects(source.current(), failure(/failed with exit code 3: it said nothing/));
  await writeFile(marker, "");
  deepEqual(await source.current(), { token: "t" });
});

test("a missing plugin is answered with its install hint", async () => {
  const hinted = pluginAt("portway-no-such-login", { spec: { installHint: "\u001b[1mbrew install login\u001b[0m" } });
  const sentence = /^portway-no-such-login, the exec plugin of user "alice" in \/k, is not installed$/;
  await rejects(hinted.current(), failure(sentence, /^brew install login$/));
  await rejects(pluginAt("portway-no-such-login").current(), failure(sentence, /Install portway-no-such-login/));
});

test("a plugin that may not be run is refused", async () => {
  const path = await script(directory, "forbidden", "exit 0");
  await chmod(path, 0o644);
  await rejects(pluginAt(path).current(), failure(/forbidden, the exec plugin .* cannot be started: EACCES/));
});

test("a plugin that cannot be started at all is refused", async () => {
  const path = await script(directory, "too-long", "exit 0");
  const source = pluginAt(path, { spec: { args: ["x".repeat(4_000_000)] } });
  await rejects(source.current(), failure(/too-long, the exec plugin .* cannot be started: E2BIG/));
});

test("a plugin that fails is quoted from standard error, without colours, and never from standard output", async () => {
  const lines = [`echo ${secret}`, "printf '\\033[31myour session is over\\033[0m\\n' >&2", "exit 7"];
  const source = await plugin("fails", lines);
  await rejects(
    source.current(),
    failure(/fails, the exec .* failed with exit code 7: your session is over$/, /by hand/),
  );
});

test("a plugin that is killed says by what", async () => {
  await rejects((await plugin("killed", ["kill -9 $$"])).current(), failure(/failed with SIGKILL/));
});

test("a plugin that takes too long is stopped, even when what it has started goes on", async () => {
  const pid = join(directory, "slow.pid");
  const source = await plugin("slow", [`echo $$ > ${pid}`, "trap '' TERM", "for i in $(seq 60); do sleep 1; done"], {
    timeoutSeconds: 1,
  });
  await rejects(source.current(), failure(/slow, the exec plugin .*, took longer than 1 s/));
  const isGone = async () => {
    const process = (await readFile(pid, "utf8").catch(() => "stopped before it began")).trim();
    return (await readFile(`/proc/${process}/stat`, "utf8").catch(() => "")) === "";
  };
  const deadline = performance.now() + 20_000;
  while (!(await isGone())) {
    if (performance.now() > deadline) throw new Error("the plugin still runs");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

const garbage: readonly (readonly [says: string, printed: string, sentence: RegExp])[] = [
  ["nothing", "", /the answer of the exec plugin of user "alice" in \/k is not JSON/],
  ["no JSON", secret, /is not JSON/],
  ["a list", "[]", /is not a mapping/],
  ["no credential", JSON.stringify({ token: secret }), /is nothing of no version, not of/],
  ["another version", answer({ token: secret }, "client.authentication.k8s.io/v1beta1"), /v1beta1, not of .*\/v1$/],
  ["another kind", JSON.stringify({ apiVersion: v1, kind: "Secret" }), /is Secret of/],
  ["no status", JSON.stringify({ apiVersion: v1, kind: "ExecCredential" }), /has no status/],
  ["an empty status", answer({}), /neither a token nor a certificate/],
  ["a token that is no text", answer({ token: 1 }), /"token" of "status" of the answer .* must be a text/],
  ["a key alone", answer({ clientKeyData: secret }), /only one of certificate and key/],
  ["a pair of nonsense", answer({ clientCertificateData: secret, clientKeyData: secret }), /not a certificate in PEM/],
  [
    "a time that is none",
    answer({ token: secret, expirationTimestamp: "soon" }),
    /"expirationTimestamp" .* is not a time/,
  ],
];

for (const [what, printed, sentence] of garbage) {
  test(`an answer is refused: ${what}`, async () => {
    await rejects((await plugin("garbage", [says(printed)])).current(), failure(sentence));
  });
}
