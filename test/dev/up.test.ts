import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { type ClusterState, clusterDirectory } from "../../src/dev/cluster/state.ts";
import { freshName, isAlive, portway, start, until } from "../fixture/portway.ts";

const directoryOf = (name: string) => clusterDirectory(process.env, name);

/** A name of the test's own; afterwards nothing runs under it, and not even logs are left of it. */
function newName(t: TestContext): string {
  const name = freshName();
  t.after(async () => {
    await portway(t, ["dev", "down", "--name", name]);
    await rm(directoryOf(name), { recursive: true, force: true });
  });
  return name;
}

async function stateOf(t: TestContext, name: string): Promise<ClusterState> {
  return JSON.parse((await portway(t, ["dev", "status", "--name", name, "-o", "json"])).stdout) as ClusterState;
}

function childrenOf(parent: number): readonly { readonly pid: number; readonly command: string }[] {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ").map(Number);
  return pids.map((pid) => ({ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8") }));
}

test("a cluster comes up in the background, is used as admin and tenant, and goes down", async (t) => {
  const name = newName(t);
  const which = ["--name", name];
  const up = await portway(t, ["dev", "up", "--detach", ...which, "--user", "alice:team-a:edit"]);
  equal(up.code, 0, up.stderr);
  match(up.stderr, /Kubernetes v1\.36\.\d+ is up after/);

  const state = await stateOf(t, name);
  match(state.server, /^https:\/\/127\.0\.0\.1:\d+$/);
  match((await portway(t, ["dev", "status", ...which])).stdout, /kube-scheduler +process \d+/);
  match((await portway(t, ["dev", "status", ...which, "-o", "yaml"])).stdout, /^v: 1\nname: dev-test-/);

  const exports = await portway(t, ["dev", "env", ...which, "--user", "alice"]);
  const script = `${exports.stdout}\nkubectl create configmap mine && ! kubectl get configmaps -n default`;
  const answer = execFileSync("sh", ["-c", script], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  match(answer, /configmap\/mine created/);

  const twice = await portway(t, ["dev", "up", ...which]);
  equal(twice.code, 1);
  match(twice.stderr, /^error: a cluster "dev-test-\w+" is up or starting already\nStop it with/);

  const down = await portway(t, ["dev", "down", ...which]);
  equal(down.code, 0, down.stderr);
  ok(
    state.components.every(({ pid }) => !isAlive(pid)),
    "no process is left",
  );
  ok(!existsSync(`${directoryOf(name)}/pki`), "no credential is left");
  match((await portway(t, ["dev", "logs", ...which, "kube-apiserver"])).stdout, /Version/, "the log can still be read");
});

test("stopped while it is starting, it leaves no process and no data", async (t) => {
  const name = newName(t);
  const run = start(t, ["dev", "up", "--name", name]);
  const log = `${directoryOf(name)}/logs/kube-apiserver.log`;
  await until("the API server is starting", () => existsSync(log));
  run.process.kill("SIGINT");
  const { code, stderr } = await run.ended;
  equal(code, 1);
  match(stderr, /stopped; nothing is left running/);
  ok(!existsSync(`${directoryOf(name)}/etcd`));
});

test("killed with SIGKILL, it takes its processes with it, and the name is free again", async (t) => {
  const name = newName(t);
  const run = start(t, ["dev", "up", "--name", name]);
  await until("the cluster is up", () => run.said().includes(" is up after "));
  const { components } = await stateOf(t, name);
  run.process.kill("SIGKILL");
  await until("every process is gone", () => components.every(({ pid }) => !isAlive(pid)));
  equal((await portway(t, ["dev", "status", "--name", name])).code, 1);
});

test("when a component dies, the reason is the first thing shown, and the rest is stopped", async (t) => {
  const name = newName(t);
  const run = start(t, ["dev", "up", "--name", name]);
  await until("the cluster is up", () => run.said().includes(" is up after "));
  const { components } = await stateOf(t, name);
  const before = run.said().length;
  process.kill(components.find((c) => c.name === "kube-scheduler")?.pid ?? 0, "SIGKILL");
  const { code } = await run.ended;
  equal(code, 1);
  match(run.said().slice(before), /^error: kube-scheduler stopped \(SIGKILL\)/);
  ok(components.every(({ pid }) => !isAlive(pid)));
});

test("what dies while the rest is still starting is named at once, and nobody waits for the rest", async (t) => {
  const name = newName(t);
  const run = start(t, ["dev", "up", "--name", name]);
  const log = `${directoryOf(name)}/logs/kube-controller-manager.log`;
  await until("the controller manager is starting", () => existsSync(log));
  const children = childrenOf(run.process.pid ?? 0);
  process.kill(children.find(({ command }) => command.includes("--etcd-servers="))?.pid ?? 0, "SIGKILL");
  const { code, stderr } = await run.ended;
  equal(code, 1);
  match(stderr, /^error: kube-apiserver stopped \(SIGKILL\): .*\nIts log: /m);
  ok(
    children.every(({ pid }) => !isAlive(pid)),
    "no process is left",
  );
});

test("of two that start one name at the same moment, one comes up and the other is told", async (t) => {
  const name = newName(t);
  const up = ["dev", "up", "--detach", "--name", name];
  const both = await Promise.all([portway(t, up), portway(t, up)]);
  const said = both.map(({ stderr }) => stderr).join("");
  equal(both.filter(({ code }) => code === 0).length, 1, said);
  match(said, /error: a cluster "dev-test-\w+" is up or starting already\nStop it with/);
  equal((await stateOf(t, name)).name, name);
});

test("a component that will not start says why", async (t) => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["--apiserver-arg=--nonsense", /^error: kube-apiserver stopped \(exit code 1\): Error: unknown flag: --nonsense$/m],
    [
      "--kcm-arg=--controllers=nonsense",
      /^error: kube-controller-manager stopped \(exit code 1\): "nonsense" is not in the list/m,
    ],
    ["--feature-gates=Nonsense=true", /unrecognized feature gate: Nonsense/],
  ];
  for (const [flag, reason] of wrong) {
    const { code, stderr } = await portway(t, ["dev", "up", "--detach", "--name", newName(t), flag]);
    equal(code, 1);
    match(stderr, reason);
  }
});

test("a port that is in use is named, and nothing is started", async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? `${address?.port}` : "";
  const { code, stderr } = await portway(t, ["dev", "up", "--name", newName(t), "--port", port]);
  equal(code, 1);
  match(stderr, new RegExp(`error: port ${port} is in use\nChoose another --port`));
});

test("asking after a cluster that is not up is answered with how to start it", async (t) => {
  for (const word of ["down", "status", "env"]) {
    const { code, stderr, stdout } = await portway(t, ["dev", word, "--name", "not-there"]);
    equal(code, 1);
    equal(stdout, "", "eval gets nothing");
    match(stderr, /no cluster "not-there" is up\nStart it: portway dev up --name not-there/);
  }
});

test("KUBEBUILDER_ASSETS that lead nowhere are named", async (t) => {
  const { code, stderr } = await portway(t, ["dev", "up", "--name", newName(t)], {
    env: { KUBEBUILDER_ASSETS: "/nowhere" },
  });
  equal(code, 1);
  match(stderr, /KUBEBUILDER_ASSETS names \/nowhere, which does not exist/);
});
