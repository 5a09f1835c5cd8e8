import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { type StorageTransferPolicy, storageTransferPolicies } from "../../src/api/gen/transfer.ts";
import { until } from "../fixture/portway.ts";
import { cliStage, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin } = stage;

test("alice approves beforehand, bob asks, and nobody is asked again", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const words = ["policy", "create", "to-b", "-n", from, "--to", to, "--count", "2", "--max-size", "5Gi"];
  const unsure = await alice.says(...words);
  equal(unsure.code, 2);
  match(unsure.stderr, /nobody is here to confirm this/);
  equal(await admin.find(storageTransferPolicies, { namespace: from, name: "to-b" }), undefined);

  const made = await alice.says(...words, "--until", "2040-01-01T01:00:00+01:00", "--yes");
  equal(made.code, 0, made.stderr);
  equal(made.stdout, "storagetransferpolicy.transfer.portway.dev/to-b created\n");
  match(made.stderr, new RegExp(`You let ${to} have up to 2 claims of ${from}, until 2040-01-01T00:00:00Z, without`));
  match(made.stderr, /it covers 1 of the 1 claims that are there\n {2}- the claim foo \(Bound, 1Gi, \w+\)/);
  match(made.stderr, new RegExp(`kubectl delete stp to-b -n ${from}`));

  const asked = await bob.says("request", `${from}/foo`, "bar", "-n", to, "--wait", "--timeout=2m");
  equal(asked.code, 0, asked.stderr);
  await until("the use is shown", async () => {
    const { stdout } = await alice.says("policy", "list", "-n", from);
    return new RegExp(
      `^NAME +TO +USED +COUNT +UNTIL +ACTIVE +AGE\\nto-b +${to} +1 +2 +2040-01-01T00:00:00Z +True`,
    ).test(stdout);
  });
});

test("a policy is rehearsed, and printed as people want it", async (t) => {
  const { from, alice } = await twoTeams(t, stage);
  await admin.merge(
    persistentVolumeClaims,
    { namespace: from, name: "foo" },
    { metadata: { labels: { tier: "gold" } } },
  );
  const words = [
    "policy",
    "create",
    "p",
    "-n",
    from,
    "--to-selector",
    "team in (b,c),!old",
    "-l",
    "tier=cold",
    "--count=1",
  ];
  const dry = await alice.says(...words, "--dry-run=server", "-o", "yaml");
  equal(dry.code, 0, dry.stderr);
  match(dry.stderr, /You let namespaces with team in \(b,c\),!old have one claim of/);
  match(dry.stderr, /it covers 0 of the 1 claims that are there/);
  const { spec } = load(dry.stdout) as StorageTransferPolicy;
  deepEqual(spec.claims?.selector?.matchExpressions, [{ key: "tier", operator: "In", values: ["cold"] }]);
  equal(
    (await alice.says(...words, "--dry-run=client", "-o", "name")).stdout,
    "storagetransferpolicy.transfer.portway.dev/p\n",
  );
  const none = await alice.says("policy", "list", "-n", from);
  deepEqual([none.code, none.stdout, none.stderr], [0, "", `No policies found in ${from} namespace.\n`]);
  equal((await alice.says(...words, "-y", "--class", "fast", "--class", "slow")).code, 0);
  equal(
    (await alice.says("policy", "list", "-n", from, "-o", "name")).stdout,
    "storagetransferpolicy.transfer.portway.dev/p\n",
  );
  const { items } = JSON.parse((await alice.says("policy", "list", "-n", from, "-o", "json")).stdout) as {
    readonly items: readonly StorageTransferPolicy[];
  };
  deepEqual(
    items.map((one) => [one.kind, one.spec.claims?.storageClassNames]),
    [["StorageTransferPolicy", ["fast", "slow"]]],
  );
});

test("who may not is told in the server's words, and who may not see is told so", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  const refused = await bob.says("policy", "create", "p", "-n", from, "--to", to, "--count", "1", "--yes");
  equal(refused.code, 1);
  match(refused.stderr, /not seen: all persistentvolumeclaims in/);
  match(refused.stderr, /cannot create resource "storagetransferpolicies"|may not create storagetransferpolicies|bob/);
  equal((await bob.says("policy", "list", "-n", from)).code, 1);
});
