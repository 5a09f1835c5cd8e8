import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { approveWords, cliStage, newWorld, person, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;

test("bob asks, alice types the line he was given, and the claim is his", async (t) => {
  const { from, to, volume, alice, bob } = await twoTeams(t, stage);
  const source = await admin.get(persistentVolumeClaims, { namespace: from, name: "foo" });
  const asked = await bob.says("request", `${from}/foo`, "bar", "-n", to);
  equal(asked.code, 0, asked.stderr);
  equal(asked.stdout, "storagetransferrequest.transfer.portway.dev/transfer-foo created\n");

  const words = approveWords(asked.stderr);
  const given = await alice.says(...words, "--yes", "--wait", "--timeout=2m");
  equal(given.code, 0, given.stderr);
  match(given.stderr, /the claim .*\/foo \(Bound, 1Gi, pv-\w+\) goes from its namespace/, "the plan");
  match(given.stderr, /TransferStarted: .* begins/, "a line for each step");
  match(given.stderr, /Complete \(Settled: Everything is in place\.\)/);

  const name = words.at(-1) ?? "";
  const approval = await admin.get(storageTransferApprovals, { namespace: from, name });
  equal(approval.spec.source.uid, source.metadata.uid, "the approval is for this very claim");
  const { spec: disk } = await admin.get(persistentVolumes, { name: volume });
  deepEqual([disk?.claimRef?.namespace, disk?.claimRef?.name], [to, "bar"]);

  const undone = await bob.says("undo", "transfer-foo", "-n", to);
  equal(undone.code, 0, undone.stderr);
  for (const line of undone.stdout.trim().split("\n")) {
    const back = line.replace("kubectl portway ", "").split(" ");
    const who = back[0] === "request" ? alice : bob;
    const done = await who.says(...back, ...(back[0] === "approve" ? ["--yes", "--wait"] : []));
    equal(done.code, 0, done.stderr);
  }
  equal((await admin.get(persistentVolumeClaims, { namespace: from, name: "foo" })).spec?.volumeName, volume);
});

test("who waits for a request sees the claim arrive", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const names = ["--request-name", "r", "--approval-name", "a"];
  const waiting = bob.says("request", `${from}/foo`, "bar", "-n", to, ...names, "--wait");
  await until(
    "it is asked",
    async () => (await admin.find(storageTransferRequests, { namespace: to, name: "r" })) !== undefined,
  );
  const given = await alice.says("approve", `${to}/r`, "-n", from, "--source", "foo", "--approval-name", "a", "-y");
  equal(given.code, 0, given.stderr);
  const { code, stderr } = await waiting;
  equal(code, 0, stderr);
  match(stderr, /the target claim .*\/bar is there \(Bound\)/);
  match(stderr, /Complete \(Settled/);
});

test("who waits in vain is told why, and that it goes on", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  const { code, stderr } = await bob.says("request", `${from}/foo`, "-n", to, "--wait", "--timeout=4s");
  equal(code, 1);
  match(stderr, /is not complete after 4 s: Pending \(AwaitingApproval: .*\)\nIt goes on by itself/);
});

test("an approval is taken back, and the request stays and waits", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await cluster.kubectl(["-n", from, "annotate", "pvc", "foo", "transfer.portway.dev/allow=false"]);
  const asked = await bob.says("request", `${from}/foo`, "-n", to);
  await alice.says(...approveWords(asked.stderr), "--yes");
  const denied = await alice.says("deny", `${to}/transfer-foo`, "-n", from, "--yes");
  equal(denied.code, 0, denied.stderr);
  match(denied.stdout, /^storagetransferapproval.* deleted\n$/);
  match(denied.stderr, /the request .*\/transfer-foo stays, and waits for another one/);
  const again = await alice.says("deny", `${to}/transfer-foo`, "-n", from, "--yes");
  equal(again.code, 1);
  match(again.stderr, /there is no approval of .*\/transfer-foo in .*without an approval nothing happens/s);
  const own = await bob.says("deny", `${to}/transfer-foo`, "-n", to, "--yes");
  equal(own.code, 0, own.stderr);
  match(own.stdout, /^storagetransferrequest.* deleted\n$/);
});

test("a used approval cannot be taken back, and it is said what to do instead", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const asked = await bob.says("request", `${from}/foo`, "-n", to);
  equal((await alice.says(...approveWords(asked.stderr), "--yes", "--wait")).code, 0);
  const late = await alice.says("deny", `${to}/transfer-foo`, "-n", from, "--yes");
  equal(late.code, 1);
  match(
    late.stderr,
    /has been used: .*\/foo is handed over\nAsk .* to hand it back: kubectl portway undo transfer-foo/,
  );
});

test("undo takes an open request back, and only this one", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to);
  const rehearsed = await bob.says("undo", "transfer-foo", "-n", to, "--dry-run=server");
  deepEqual([rehearsed.code, /\(server dry run\)/.test(rehearsed.stdout)], [0, true], rehearsed.stderr);
  const undone = await bob.says("undo", "transfer-foo", "-n", to, "--yes");
  equal(undone.code, 0, undone.stderr);
  match(undone.stderr, /Nothing has been changed by it; nothing will be/);
  equal(await admin.find(storageTransferRequests, { namespace: to, name: "transfer-foo" }), undefined);
  equal((await bob.says("undo", "transfer-foo", "-n", to, "--yes")).code, 1);
});

test("a claim gets another name in one command", async (t) => {
  const { from, volume, alice } = await twoTeams(t, stage);
  const { code, stderr } = await alice.says("rename", "foo", "renamed", "-n", from, "--yes");
  equal(code, 0, stderr);
  const claim = await admin.get(persistentVolumeClaims, { namespace: from, name: "renamed" });
  deepEqual([claim.spec?.volumeName, claim.status?.phase], [volume, "Bound"]);
  equal(await admin.find(persistentVolumeClaims, { namespace: from, name: "foo" }), undefined);
});

test("a requester and an approver with nothing but their roles and their right on claims get it done", async (t) => {
  const { from, to } = await newWorld(t, stage);
  // By RBAC `edit` brings the claims, and the two roles bring the consents.
  for (const role of ["edit", "portway-approver"] as const) await tenantWith(t, cluster, "alice", from, role);
  for (const role of ["edit", "portway-requester"] as const) await tenantWith(t, cluster, "bob", to, role);
  const asked = await person(t, stage, "bob").says("request", `${from}/foo`, "-n", to);
  equal(asked.code, 0, asked.stderr);
  const given = await person(t, stage, "alice").says(...approveWords(asked.stderr), "--yes", "--wait");
  equal(given.code, 0, given.stderr);
});
