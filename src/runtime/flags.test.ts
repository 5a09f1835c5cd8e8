import { deepEqual, equal, throws } from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { failure } from "../../test/fixture/configuration.ts";
import { command } from "../cli/command.ts";
import { runCommand } from "../cli/run.ts";
import { featureGatesOf } from "./feature-gates.ts";
import { durationOf, endpointOf } from "./flag-values.ts";
import { type ControllerFlagValues, controllerFlags, controllerSettings } from "./flags.ts";

const gates = {
  CrossNamespace: { stage: "Alpha", default: false, says: "" },
  Bridge: { stage: "Beta", default: true, says: "" },
  Transfers: { stage: "GA", default: true, says: "" },
} as const;

/** As the command line parses them. */
async function parsed(...words: readonly string[]): Promise<ControllerFlagValues> {
  const seen: ControllerFlagValues[] = [];
  const said: string[] = [];
  const tell = (text: string) => void said.push(text);
  const node = command({
    name: "c",
    says: "",
    flags: controllerFlags,
    run: async ({ flags }) => void seen.push(flags),
  });
  const terminal = { result: tell, say: tell, progress: tell };
  const root = { name: "portway", says: "", commands: [node] };
  await runCommand(root, ["c", ...words], { terminal, env: {}, stop: new AbortController().signal });
  const [flags] = seen;
  if (flags === undefined) throw new Error(said.join("; "));
  return flags;
}

async function settings(...words: readonly string[]) {
  return controllerSettings(await parsed(...words), { gates });
}

test("without a flag everything has its usual value", async () => {
  deepEqual(await settings(), {
    httpEndpoint: { port: 8080 },
    election: {
      on: true,
      namespace: undefined,
      identity: hostname(),
      durations: { leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 },
    },
    rate: { perSecond: 50, burst: 100 },
    timeoutSeconds: 30,
    workers: 10,
    gates: { CrossNamespace: false, Bridge: true, Transfers: true },
    log: { format: "json", verbosity: 0 },
    target: { kubeconfig: undefined, context: undefined, as: undefined },
  });
});

test("a sidecar serves nothing and elects nobody unless it is told to", async () => {
  const sidecar = { gates, httpEndpoint: "", leaderElection: false, workers: 100 };
  const usual = controllerSettings(await parsed(), sidecar);
  deepEqual([usual.httpEndpoint, usual.election.on, usual.workers], [undefined, false, 100]);
  const told = controllerSettings(await parsed("--http-endpoint=:9", "--leader-election=true"), sidecar);
  deepEqual([told.httpEndpoint, told.election.on], [{ port: 9 }, true]);
});

test("all of them can be said on the command line", async () => {
  const words = `
    --http-endpoint=127.0.0.1:9090 --leader-election=false --leader-election-namespace=kube-system
    --leader-election-identity=pod-1 --leader-election-lease-duration=1m --kube-api-qps=-1
    --feature-gates=CrossNamespace=true --feature-gates=Bridge=false --workers=3 -v=4 --log-format=text
    --kubeconfig=/k --as=alice --as-group=a --as-group=b`;
  const all = await settings(...words.trim().split(/\s+/));
  deepEqual(all.httpEndpoint, { host: "127.0.0.1", port: 9090 });
  deepEqual(
    [all.election.on, all.election.namespace, all.election.identity, all.election.durations.leaseSeconds],
    [false, "kube-system", "pod-1", 60],
  );
  deepEqual([all.rate, all.workers, all.log], [undefined, 3, { format: "text", verbosity: 4 }]);
  deepEqual(all.gates, { CrossNamespace: true, Bridge: false, Transfers: true });
  deepEqual(all.target, { kubeconfig: "/k", context: undefined, as: { user: "alice", groups: ["a", "b"] } });
});

test("the level of the log can be written as Go programs take it, and as others do", async () => {
  for (const words of [["-v", "4"], ["-v4"], ["-v=4"], ["--v=4"], ["--v", "4"]]) {
    equal((await settings(...words)).log.verbosity, 4, words.join(" "));
  }
});

const mistakes: readonly (readonly [word: string, says: RegExp])[] = [
  ["--leader-election=yes", /--leader-election is neither true nor false: "yes"/],
  ["--leader-election-lease-duration=15", /--leader-election-lease-duration is no duration: "15"/],
  ["--leader-election-lease-duration=10s", /over before a leader gives up/],
  ["--leader-election-lease-duration=15.5s", /whole seconds/],
  ["--leader-election-retry-period=6s", /only once/],
  ["--leader-election-retry-period=0", /only once/],
  ["--workers=0", /--workers/],
  ["--workers=many", /--workers/],
  ["--kube-api-qps=fast", /--kube-api-qps is no number: "fast"/],
  ["--kube-api-qps=0", /would send nothing/],
  ["--kube-api-burst=0", /--kube-api-burst/],
  ["--kube-api-timeout=0", /would wait for no answer/],
  ["--kube-api-timeout=5", /--kube-api-timeout is no duration/],
  ["--log-format=xml", /--log-format does not know "xml"/],
  ["-v=loud", /-v is no whole number/],
  ["--http-endpoint=8080", /--http-endpoint is no address/],
  ["--as-group=a", /need --as/],
  ["--feature-gates=Nope=true", /does not know "Nope"/],
];
for (const [word, says] of mistakes) {
  test(`${word} is refused with a word on what to do`, async () => {
    const flags = await parsed(word);
    throws(() => controllerSettings(flags, { gates }), failure(says));
  });
}

const durations: readonly (readonly [string, number])[] = [
  ["15s", 15],
  ["1m30s", 90],
  ["500ms", 0.5],
  ["1.5h", 5400],
  ["0", 0],
  ["2h45m0.5s", 9900.5],
];
for (const [text, seconds] of durations) test(`${text} is ${seconds} seconds`, () => equal(durationOf(text), seconds));
for (const text of ["", "s", "15", "15 s", "-15s", "1s1", "1d", "∞"]) {
  test(`"${text}" is no duration`, () => throws(() => durationOf(text), failure(/no duration/)));
}

test("addresses to listen on", () => {
  deepEqual(endpointOf(":8080"), { port: 8080 });
  deepEqual(endpointOf("[::1]:80"), { host: "::1", port: 80 });
  deepEqual(endpointOf("localhost:0"), { host: "localhost", port: 0 });
  equal(endpointOf(""), undefined);
  for (const text of ["8080", ":", ":70000", "a:b:80", "http://a:80", ":80/x"])
    throws(() => endpointOf(text), failure(/no address/));
});

test("an unknown gate is answered with those there are, their stage and whether they are on", () => {
  const next = /CrossNamespace \(Alpha, off\), Bridge \(Beta, on\), Transfers \(GA, on\); or AllAlpha, AllBeta/;
  throws(() => featureGatesOf("Nope=true", gates), failure(/"Nope"/, next));
});

test("a group turns on what is not named itself, in whatever order", () => {
  deepEqual(featureGatesOf("CrossNamespace=false,AllAlpha=true,AllBeta=false", gates), {
    CrossNamespace: false,
    Bridge: false,
    Transfers: true,
  });
  equal(featureGatesOf("AllAlpha=True", gates).CrossNamespace, true);
});

test("what is on for good cannot be turned off, and half a word means nothing", () => {
  throws(() => featureGatesOf("Transfers=false", gates), failure(/cannot turn Transfers off/));
  for (const text of ["Bridge", "Bridge=", "Bridge=1", "=true", "Bridge=true=false"])
    throws(() => featureGatesOf(text, gates), failure(/does not understand/));
  for (const name of ["toString", "constructor", "__proto__"])
    throws(() => featureGatesOf(`${name}=true`, gates), failure(/does not know/), name);
});

test("a process may have another pace than most, and a person may still change it", async () => {
  const rate = { perSecond: 300, burst: 600 };
  deepEqual(controllerSettings(await parsed(), { gates, rate }).rate, rate);
  const slower = controllerSettings(await parsed("--kube-api-qps=5"), { gates, rate });
  deepEqual(slower.rate, { perSecond: 5, burst: 600 });
});
