import { deepEqual, equal, match } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { anyJournalOn } from "../../src/api/transfer/journal.ts";
import { listed } from "../../src/cli/kubectl/listing.ts";
import { newVolume, referenceTo } from "../fixture/binding.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { cliStage, person, type TwoTeams, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;
const batch = /batch-[0-9a-f]+/;

/** As many claims of alice's as names, each with a volume and the label app=shop. */
async function shop(t: TestContext, names: readonly string[]): Promise<TwoTeams> {
  const world = await twoTeams(t, stage);
  const namespace = world.from;
  for (const name of names) {
    const className = `shop-${name}`;
    const claim = await admin.create(persistentVolumeClaims, {
      metadata: { namespace, name, labels: { app: "shop" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: className,
      },
    });
    await newVolume(t, admin, { className }, { claimRef: referenceTo(claim) });
  }
  await until("all are bound", async () => {
    const all = await listed(admin, persistentVolumeClaims, { namespace, labelSelector: "app=shop" });
    return all.every(({ status }) => status?.phase === "Bound");
  });
  return world;
}

async function handedOverTo(namespace: string): Promise<readonly string[]> {
  const all = await listed(admin, persistentVolumes);
  const arrived = all.filter(
    (one) => one.spec?.claimRef?.namespace === namespace && anyJournalOn(one)?.outcome === "complete",
  );
  return arrived.map(({ spec }) => spec?.claimRef?.name ?? "").sort();
}

test("all claims with a label are given, accepted and handed over, and carry the name of their batch", async (t) => {
  const { from, to, alice } = await shop(t, ["one", "two", "three"]);
  const given = await alice.says("give", "-l", "app=shop", to, "-n", from, "--delete", "--yes");
  equal(given.code, 0, given.stderr);
  match(given.stderr, /3 claims are given to \S+ \(batch-/);
  equal(given.stdout.trim().split("\n").length, 3);
  const lines = [...given.stderr.matchAll(/^ {2}kubectl portway (accept .*)$/gm)].map(([, line = ""]) =>
    line.split(" "),
  );
  equal(lines.length, 3, "a line for each, for those who may not see them");
  const bob = person(t, stage, "bob");
  for (const words of lines) equal((await bob.says(...words)).code, 0);
  await until("all are theirs", async () => (await handedOverTo(to)).length === 3);
  deepEqual(await handedOverTo(to), ["one", "three", "two"]);
});

test("who may give only some of them gives none", async (t) => {
  const { from, to, alice } = await shop(t, ["one", "two"]);
  const nonsense = await alice.says("give", "-l", "app=shop", "NO_SUCH_NAMESPACE", "-n", from);
  equal(nonsense.code, 2, "a name that cannot be is told at once");
  const role = [
    "create",
    "role",
    "give-one",
    "--verb=give",
    "--resource=persistentvolumeclaims",
    "--resource-name=one",
  ];
  await cluster.kubectl(["-n", from, ...role]);
  await cluster.kubectl(["-n", from, "create", "rolebinding", "give-one", "--role=give-one", "--user=mallory"]);
  const mallory = person(t, stage, "mallory");
  await tenantWith(t, cluster, "mallory", from, "edit");
  const { code, stdout, stderr } = await mallory.says("give", "-l", "app=shop", to, "-n", from);
  equal(code, 1);
  equal(stdout, "");
  match(stderr, /1 of 2 would be refused, so nothing was changed:\n {2}- the give of \S+\/two: /);
  const one = await admin.get(persistentVolumeClaims, { namespace: from, name: "one" });
  equal(one.metadata.annotations?.["transfer.portway.dev/transfer-request"], undefined);
  equal(one.metadata.labels?.["transfer.portway.dev/batch"], undefined);
});

test("gives are taken back together, and a dry run changes nothing", async (t) => {
  const { from, to, alice } = await shop(t, ["one", "two"]);
  const dry = await alice.says("give", "-l", "app=shop", to, "-n", from, "--dry-run=server");
  match(dry.stderr, /All 2 would work; nothing was changed/);
  const nothing = await alice.says("take-back", "-l", "app=shop", "-n", from);
  match(nothing.stderr, /no given claim has the labels app=shop/);
  const given = await alice.says("give", "-l", "app=shop", to, "-n", from);
  const [name = ""] = batch.exec(given.stderr) ?? [];
  const shown = await alice.says("status", "-l", `transfer.portway.dev/batch=${name}`, "-n", from, "-o", "name");
  deepEqual(shown.stdout.trim().split("\n"), ["persistentvolumeclaim/one", "persistentvolumeclaim/two"]);
  const back = await alice.says("take-back", "-l", `transfer.portway.dev/batch=${name}`, "-n", from);
  equal(back.code, 0, back.stderr);
  equal(back.stdout.trim().split("\n").length, 2);
});

test("who sees both sides asks, approves and accepts by label", async (t) => {
  const { from, to } = await shop(t, ["one", "two"]);
  const root = person(t, stage, "admin");
  const asked = await root.says("request", "-l", "app=shop", from, "-n", to);
  equal(asked.code, 0, asked.stderr);
  const [, words = ""] = /kubectl portway (approve \S+ -l .*)/.exec(asked.stderr) ?? [];
  equal((await root.says(...words.split(" "))).code, 2, "nothing is approved without a yes");
  const approved = await root.says(...words.split(" "), "--yes");
  equal(approved.code, 0, approved.stderr);
  await until("both are theirs", async () => (await handedOverTo(to)).length === 2);
  const requests = await listed(admin, storageTransferRequests, { namespace: to });
  deepEqual(
    [...new Set(requests.map(({ metadata }) => metadata.labels?.["transfer.portway.dev/batch"]))],
    [batch.exec(words)?.[0]],
  );

  await cluster.kubectl(["-n", to, "label", "pvc", "one", "two", "app=shop"]);
  equal((await root.says("give", "-l", "app=shop", from, "-n", to)).code, 0);
  await until(
    "the names are free",
    async () => (await listed(admin, persistentVolumeClaims, { namespace: from })).length === 1,
  );
  const accepted = await root.says("accept", "-l", "app=shop", to, "-n", from);
  equal(accepted.code, 0, accepted.stderr);
  await cluster.kubectl(["-n", to, "delete", "pvc", "one", "two", "--wait=false"]);
  await until("both are back", async () => (await handedOverTo(from)).length === 2);
});
