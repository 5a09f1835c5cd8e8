import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { approve, ask } from "../transfer/flows/world.ts";
import { approveWords, cliStage, newWorld, person, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;

async function isTold(namespace: string, name: string, reason: string): Promise<void> {
  await until(`${name} is told ${reason}`, async () => {
    const { status } = await admin.get(storageTransferRequests, { namespace, name });
    return status?.conditions?.[0]?.reason === reason;
  });
}

async function hold(namespace: string, finalizers: readonly string[] | null): Promise<void> {
  await admin.merge(persistentVolumeClaims, { namespace, name: "foo" }, { metadata: { finalizers } });
}

const optOut = ["annotate", "pvc", "foo", "transfer.portway.dev/allow=false"];

test("status shows each side what it may see, why it waits, and what to type next", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await cluster.kubectl(["-n", from, ...optOut]);
  const asked = await bob.says("request", `${from}/foo`, "bar", "-n", to, "--approval-name=a");
  await isTold(to, "transfer-foo", "AwaitingApproval");
  const before = await bob.says("status", "-n", to);
  const [headings = "", row = ""] = before.stdout.split("\n");
  deepEqual(headings.split(/ {2,}/), ["REQUEST", "SOURCE", "TARGET", "PHASE", "AGE", "WHY", "NEXT"]);
  const line = approveWords(asked.stderr).join(" ");
  deepEqual(row.split(/ {2,}/).toSpliced(4, 1), [
    `${to}/transfer-foo`,
    `${from}/foo`,
    `${to}/bar`,
    "Pending",
    "The owner of the source has not approved this transfer yet.",
    `kubectl portway ${line}`,
  ]);
  match(before.stderr, /not seen: storagetransferapprovals\/a in/);

  await alice.says(...approveWords(asked.stderr), "--yes");
  await isTold(to, "transfer-foo", "OptedOut");
  const hers = JSON.parse((await alice.says("status", "-n", from, "-o", "json")).stdout) as {
    items: { target: object; phase: string; reason: string; next: string }[];
  };
  deepEqual(
    hers.items.map(({ target, phase, reason, next }) => [target, phase, reason, next]),
    [[{ namespace: to }, "Pending", "OptedOut", `kubectl portway explain approval/a -n ${from}`]],
    "she may not see under which name it arrives",
  );
  const everywhere = await person(t, stage, "admin").says("status", "-A", "-o", "wide");
  match(
    everywhere.stdout,
    new RegExp(`${to}/transfer-foo +${from}/foo +${to}/bar +Pending +\\d+\\w +${from}/a +OptedOut`),
  );
  equal(
    (await bob.says("status", "-n", to, "-o", "name")).stdout,
    "storagetransferrequest.transfer.portway.dev/transfer-foo\n",
  );
});

test("status -w prints what changes, until it is stopped", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const asked = await bob.says("request", `${from}/foo`, "bar", "-n", to);
  const watching = bob.watches("status", "-w", "-n", to);
  await watching.until(/Pending/);
  await alice.says(...approveWords(asked.stderr), "--yes");
  await watching.until(/Complete/);
  const { code, stdout } = await watching.stopped();
  equal(code, 0, "to stop it is how it ends");
  match(stdout, /^REQUEST[^]*Pending[^]*Complete/);
  equal(stdout.match(/REQUEST/g)?.length, 1, "one heading");
});

test("nothing to see is no error", async (t) => {
  const { to, bob } = await twoTeams(t, stage);
  deepEqual(await bob.says("status", "-n", to), {
    code: 0,
    stdout: "",
    stderr: `No transfers or buckets found in ${to} namespace.\n`,
  });
});

test("explain runs the engine's own table: an administrator sees which row holds and which gate is closed", async (t) => {
  const world = await newWorld(t, stage);
  await cluster.kubectl(["-n", world.from, ...optOut]);
  await approve(world, { admin });
  await ask(world, { admin });
  await isTold(world.to, world.request, "OptedOut");
  const root = person(t, stage, "admin");
  const { stdout, stderr } = await root.says("explain", `str/${world.request}`, "-n", world.to, "-o", "json");
  const told = JSON.parse(stdout) as {
    row: string;
    plan: string;
    inTheWay: string[];
    rows: { row: string; answer: string }[];
    unseen: unknown[];
  };
  equal(told.row, "something is in the way", stderr);
  match(told.plan, /^wait: OptedOut/);
  const answers = told.rows.map(({ answer }) => answer);
  equal(answers.pop(), "yes", "it ends with the row that holds");
  deepEqual([...new Set(answers)], ["no"], "all above were passed over");
  equal(told.inTheWay.length, 1);
  deepEqual(told.unseen, []);
  match((await root.says("explain", "pvc/foo", "-n", world.from)).stdout, /^request .*something is in the way/s);
  match((await root.says("explain", `pv/${world.volume}`)).stdout, /no transfer has ever touched it/);
});

test("explain never takes what a tenant may not see for something that is not there", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await cluster.kubectl(["-n", from, ...optOut]);
  const asked = await bob.says("request", `${from}/foo`, "-n", to, "--approval-name=a");
  await alice.says(...approveWords(asked.stderr), "--yes");
  await isTold(to, "transfer-foo", "OptedOut");
  const { stdout } = await bob.says("explain", "request/transfer-foo", "-n", to);
  match(stdout, /Portway says: Pending, OptedOut\./, "what Portway itself says is told");
  match(stdout, /\? +nobody has approved it \(needs storagetransferapprovals\/a\)/);
  match(stdout, /Could not be seen:[^]*persistentvolumeclaims\/foo in/);
  equal(/YES/.test(stdout), false, "no row is said to hold");
  match((await alice.says("explain", "approval/a", "-n", from)).stdout, /Portway says: Pending, OptedOut/);
});

test("explain follows a volume that is under way, and one that has arrived", async (t) => {
  const world = await newWorld(t, stage);
  await hold(world.from, ["test.portway.dev/held"]);
  await approve(world, { admin });
  await ask(world, { admin });
  await isTold(world.to, world.request, "SourceLeaving");
  const root = person(t, stage, "admin");
  const stuck = await root.says("explain", `request/${world.request}`, "-n", world.to);
  match(stuck.stdout, /YES +the source is on its way out/);
  match(stuck.stdout, /What follows: wait: SourceLeaving.*held by .*test\.portway\.dev\/held/);
  match((await root.says("explain", `pv/${world.volume}`)).stdout, /YES +the source is on its way out/);
  await hold(world.from, null);
  await isTold(world.to, world.request, "Settled");
  match((await root.says("explain", `pv/${world.volume}`)).stdout, /complete[^]*YES +the transfer has ended/);
});

test("preview says what would happen, what is in the way and who would notice, and stores nothing", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  await cluster.kubectl(["-n", to, "create", "quota", "none", "--hard=persistentvolumeclaims=0"]);
  await cluster.apply(podOn("db", from));
  const root = person(t, stage, "admin");
  const seen = await root.says("preview", `${from}/foo`, "bar", "-n", to);
  equal(seen.code, 1, "the server would refuse");
  match(seen.stdout, /the claim .*\/bar: refused: .*exceeded quota: none/);
  match(seen.stdout, /the approval .*: would work/);
  match(seen.stdout, /In the way today:\n {2}- wait: SourceInUse\. Pods still use the source claim: db/);
  match(seen.stdout, /the pod db \(Pending\) uses it/);
  equal(seen.stdout.split("Portway writes:\n")[1]?.split("\n\n")[0]?.split("\n").length, 8, "eight writes");
  const his = await bob.says("preview", `${from}/foo`, "bar", "-n", to);
  match(his.stdout, /the claim .*\/bar: not tried: its source may not be seen/);
  match(his.stdout, /Not judged, because you may not see it:\n {2}- what depends on persistentvolumeclaims\/foo/);
  equal(await admin.find(persistentVolumeClaims, { namespace: to, name: "bar" }), undefined);
  equal(await admin.find(storageTransferRequests, { namespace: to, name: "transfer-foo" }), undefined);
});

test("preview names the StatefulSet that would make the source again, and says so when it may not look", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  for (const name of ["web", "db"]) await cluster.apply(setOf(name, from));
  await admin.create(persistentVolumeClaims, {
    metadata: { namespace: from, name: "data-web-0" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "none-such",
    },
  });
  const preview = async (who: typeof alice, claim: string) =>
    (await who.says("preview", `${from}/${claim}`, "bar", "-n", to)).stdout;
  const hers = await preview(alice, "data-web-0");
  match(hers, /Affected:[^]*the StatefulSet web has a template for it, and may make it again, empty\n/);
  equal(/StatefulSet db/.test(hers), false, "one whose template makes other claims is not named");
  equal(/StatefulSet/.test(await preview(alice, "foo")), false, "nor is any for a claim without a number");
  const his = await preview(bob, "data-web-0");
  match(his, new RegExp(`Could not be seen:[^]*all statefulsets in ${from}: this takes a right you do not have`));
});

test("a viewer sees, and is told in the server's words what it may not do", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to);
  await tenantWith(t, cluster, "mallory", to, "view");
  const mallory = person(t, stage, "mallory");
  match((await mallory.says("status", "-n", to)).stdout, /transfer-foo/);
  const refused = await mallory.says("undo", "transfer-foo", "-n", to, "--yes");
  equal(refused.code, 1);
  match(refused.stderr, /error: delete storagetransferrequests\/transfer-foo .*User "mallory" cannot delete/);
  match(refused.stderr, /kubectl auth can-i delete storagetransferrequests -n/);
});

test("names are completed with the rights of the person", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to);
  deepEqual((await bob.says("__complete", "undo", "-n", to, "tr")).stdout, "transfer-foo\n:4\n");
  deepEqual((await bob.says("__complete", "explain", "-n", to, "request/")).stdout, "request/transfer-foo\n:4\n");
  deepEqual((await bob.says("__complete", "request", `${from}/`)).stdout, ":4\n", "what he may not see is not offered");
  const root = person(t, stage, "admin");
  deepEqual((await root.says("__complete", "request", `${from}/f`)).stdout, `${from}/foo\n:4\n`);
  match((await root.says("__complete", "request", from.slice(0, -1))).stdout, new RegExp(`^${from}/\n[^]*:6\n$`));
  match((await root.says("__complete", "status", "-n", from)).stdout, new RegExp(`^${from}\n:4\n$`));
});

function podOn(name: string, namespace: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: {
      nodeName: "somewhere",
      containers: [{ name: "c", image: "none" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "foo" } }],
    },
  });
}

/** With no replicas, so that nobody makes a claim while the test looks. */
function setOf(name: string, namespace: string): string {
  const labels = { app: name };
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "none" }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  });
}
