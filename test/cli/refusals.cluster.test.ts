import { deepEqual, equal, match } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { cliStage, newWorld, person, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: false });
const { admin, cluster } = stage;
const named = ["--request-name=r", "--approval-name=a"];

test("who may not ask is told so by the server, and what right it takes", async (t) => {
  const { from, to } = await newWorld(t, stage);
  await tenantWith(t, cluster, "mallory", to, "edit");
  const { code, stdout, stderr } = await person(t, stage, "mallory").says("request", `${from}/foo`, "-n", to);
  deepEqual([code, stdout], [1, ""]);
  match(stderr, /error: create storagetransferrequests\/transfer-foo in .*mallory.* cannot create/);
  match(stderr, /kubectl auth can-i create storagetransferrequests -n to-/);
});

test("who may write approvals but not delete the claim is told by the policy", async (t) => {
  const { from, to } = await newWorld(t, stage);
  await tenantWith(t, cluster, "mallory", from, "portway-approver");
  const words = ["approve", `${to}/r`, "-n", from, "--source=foo", "--approval-name=a", "--yes"];
  const { code, stderr } = await person(t, stage, "mallory").says(...words);
  equal(code, 1);
  match(stderr, /you may not read the claim, so the approval goes by its name alone/);
  match(stderr, /mallory may not approve the transfer of foo: that takes the right to delete the claim foo/);
  match(stderr, /The policy portway-consent decides so/);
});

test("nothing destructive is done without a yes, and without a terminal that is a usage error", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to, ...named);
  const approve = ["approve", `${to}/r`, "-n", from, "--source=foo", "--approval-name=a"];
  for (const [who, words] of [
    [alice, approve],
    [alice, ["rename", "foo", "other", "-n", from]],
    [bob, ["undo", "r", "-n", to]],
    [bob, ["deny", `${to}/r`, "-n", to]],
  ] as const) {
    const { code, stdout, stderr } = await who.says(...words);
    deepEqual([code, stdout], [2, ""], stderr);
    match(stderr, /nobody is here to confirm this: it is no terminal\nRead the plan above, and add --yes\./);
  }
  equal(await admin.find(storageTransferApprovals, { namespace: from, name: "a" }), undefined);
  equal((await admin.find(storageTransferRequests, { namespace: to, name: "r" }))?.metadata.name, "r");
});

test("a dry run sends nothing, or stores nothing", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const asked = await bob.says(
    "request",
    `${from}/foo`,
    "-n",
    to,
    ...named,
    "--dry-run=client",
    "-o",
    "yaml",
    "--ttl=1h",
  );
  match(
    asked.stdout,
    /^apiVersion: transfer.portway.dev\/v1alpha1\nkind: StorageTransferRequest\n[^]*ttlSecondsAfterFinished: 3600/,
  );
  const tried = await bob.says("request", `${from}/foo`, "-n", to, ...named, "--dry-run=server");
  equal(tried.stdout, "storagetransferrequest.transfer.portway.dev/r created (server dry run)\n", tried.stderr);
  const words = [
    "approve",
    `${to}/r`,
    "-n",
    from,
    "--source=foo",
    "--approval-name=a",
    "--dry-run=server",
    "-o",
    "name",
  ];
  equal((await alice.says(...words)).stdout, "storagetransferapproval.transfer.portway.dev/a\n");
  equal(await admin.find(storageTransferRequests, { namespace: to, name: "r" }), undefined);
  equal(await admin.find(storageTransferApprovals, { namespace: from, name: "a" }), undefined);
});

test("an approval that contradicts its request is not written", async (t) => {
  const { from, to } = await twoTeams(t, stage);
  const root = person(t, stage, "admin");
  await root.says("request", `${from}/foo`, "-n", to, ...named);
  for (const [words, says] of [
    [["--source=bar"], /asks for --source foo, and you say bar/],
    [["--approval-name=b"], /asks for --approval-name a, and you say b/],
    [["-n", to], /asks for --namespace from-\w+, and you say to-/],
  ] as const) {
    const { code, stderr } = await root.says("approve", `${to}/r`, "--yes", ...words);
    equal(code, 1);
    match(stderr, says);
  }
  const { code, stderr } = await root.says("approve", `${to}/r`, "--yes");
  equal(code, 0, `the request alone says everything to those who may read it: ${stderr}`);
});

test("what is missing or taken is named, with what to do next", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to, ...named);
  const root = person(t, stage, "admin");
  const cases = [
    [bob, ["request", `${from}/foo`, "-n", to, ...named], /already exists\nLook at it: kubectl get .* r -n/],
    [root, ["approve", `${to}/none`, "-n", from, "--yes"], /there is no request .*\/none\nCheck the name/],
    [alice, ["approve", `${to}/r`, "-n", from, "--yes"], /you may not read the request .*\nTake the line/],
    [
      alice,
      ["approve", `${to}/r`, "-n", from, "--source=none", "--approval-name=a", "-y"],
      /there is no claim .*\/none\nAn approval covers only a claim that is there/,
    ],
    [alice, ["rename", "none", "other", "-n", from, "--yes"], /there is no claim .*\/none\nkubectl get pvc/],
    [bob, ["explain", "request/none", "-n", to], /not found\nCheck the name and the namespace/],
    [bob, ["explain", "pv/some"], /cannot get resource "persistentvolumes".*\nAsk an administrator/],
    [bob, ["status", "-A"], /cannot list resource "storagetransfer(requests|approvals)".* at the cluster scope/],
    [root, ["assign", "none", `${to}/x`, "--yes"], /persistentvolumes "none" not found/],
    [root, ["status", "--context=none"], /there is no context "none"/],
    [root, ["status", "--kubeconfig=/nowhere"], /nowhere.*does not exist/],
  ] as const;
  for (const [who, words, says] of cases) {
    const { code, stdout, stderr } = await who.says(...words);
    equal(stdout, "", words.join(" "));
    match(stderr, says);
    equal(code, says.source.includes("may not read the request") ? 2 : 1, stderr);
  }
});

test("people act as others where they may, and see the requests that are made", async (t) => {
  const { from, to } = await twoTeams(t, stage);
  const root = person(t, stage, "admin");
  const asked = await root.says("request", `${from}/foo`, "-n", to, ...named, "--as=bob", "-v=6");
  equal(asked.code, 0, asked.stderr);
  match(asked.stderr, /POST: 201 in \d+ ms/);
  const { code, stderr } = await root.says("request", `${to}/foo`, "-n", from, "--as=bob", "--as-group=nobodies");
  equal(code, 1);
  match(stderr, /User "bob" cannot create/);
});

test("apply rewrites what no server would take, shows how, and patches with a fragment", async (t) => {
  const { from, alice } = await twoTeams(t, stage);
  const fragment =
    "apiversion: v1\nkind: PersistentVolumeClaim\nmetadata:\n    name: foo\n\tannotations:\n\t    note: hello\n...\n";
  const patched = await alice.pipes(fragment, "apply", "-f", "-", "-n", from);
  equal(patched.stdout, "persistentvolumeclaim/foo patched\n", patched.stderr);
  match(patched.stderr, /document 1 of -, PersistentVolumeClaim foo: tabs .* become four blanks/);
  match(patched.stderr, /apiversion becomes apiVersion/);
  const claim = await admin.get(persistentVolumeClaims, { namespace: from, name: "foo" });
  equal(claim.metadata.annotations?.["note"], "hello");

  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "plain" }, data: { a: "0755" } };
  const plain = await alice.pipes(JSON.stringify(map), "apply", "-f", "-", "-n", from);
  deepEqual([plain.code, plain.stdout, plain.stderr], [0, "configmap/plain serverside-applied\n", ""]);
  const fresh = { ...map, metadata: { generateName: "fresh-" } };
  match(
    (await alice.pipes(JSON.stringify(fresh), "apply", "-f", "-", "-n", from)).stdout,
    /^configmap\/fresh-\w+ created\n$/,
  );
});

test("apply says what is wrong with a file, and sends nothing of it", async (t) => {
  const { from, alice } = await twoTeams(t, stage);
  const folder = await mkdtemp(join(tmpdir(), "portway-apply-"));
  t.after(() => rm(folder, { recursive: true }));
  const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n---\n";
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    ["a: [", /is no YAML/],
    ["", /there is no object in/],
    ["just words", /document 1 of .* is no object/],
    ["kind: ConfigMap", /has no apiVersion and no metadata\.name/],
    [
      `${good}apiVersion: v9\nkind: Nothing\nmetadata: {name: x}`,
      /document 2 of .*: the cluster does not serve the kind Nothing of v9/,
    ],
  ];
  for (const [text, says] of cases) {
    const file = join(folder, "file.yaml");
    await writeFile(file, text);
    const { code, stdout, stderr } = await alice.says("apply", "-f", file, "-n", from);
    deepEqual([code, stdout], [1, ""], stderr);
    match(stderr, says);
  }
  match((await alice.says("apply", "-f", join(folder, "none"))).stderr, /cannot be read \(ENOENT\)/);
  const missing = await alice.pipes(
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: none}",
    "apply",
    "-f",
    "-",
    "-n",
    from,
  );
  equal(missing.code, 1);
  match(missing.stderr, /in document 1 of -:\nerror: apply persistentvolumeclaims\/none.*spec/);
});
