import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { anyJournalOn } from "../../src/api/transfer/journal.ts";
import { until } from "../fixture/portway.ts";
import { cliStage, person, type TwoTeams, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;

interface Line {
  readonly door: string;
  readonly object: string;
  readonly phase: string;
  readonly reason: string;
  readonly next: string;
}

async function linesOf(who: TwoTeams["alice"], ...words: readonly string[]): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await who.says("status", ...words, "-o", "json");
  equal(code, 0, stderr);
  return (JSON.parse(stdout) as { items: readonly Line[] }).items;
}

async function untilLocked({ volume }: TwoTeams): Promise<void> {
  await until("the volume is locked", async () => {
    return anyJournalOn(await admin.get(persistentVolumes, { name: volume }))?.outcome === undefined;
  });
}

function accepting(from: string, to: string): readonly string[] {
  return ["accept", `${from}/foo`, "bar", "-n", to, "--size=1Gi", "--class=none-of-these"];
}

test("status shows a give to its giver, to its taker and to an administrator, and what to type next", async (t) => {
  const world = await twoTeams(t, stage);
  const { from, to, alice, bob } = world;
  await alice.says("give", "foo", `${to}/bar`, "-n", from);
  await untilLocked(world);
  await until("alice sees that she may delete it", async () => {
    const [line] = await linesOf(alice, "-n", from);
    return line?.phase === "Pending" && line.next.startsWith(`kubectl portway accept ${from}/foo bar -n ${to}`);
  });
  const root = person(t, stage, "admin");
  const [seen] = await linesOf(root, "-n", from);
  deepEqual([seen?.door, seen?.reason], ["annotation", "AwaitingAcceptance"]);
  match((await alice.says("status", "-n", from)).stdout, /^\(by annotation\) +\S+\/foo +\S+\/bar +Pending/m);
  equal((await alice.says("status", "-n", from, "-o", "name")).stdout, "persistentvolumeclaim/foo\n");
  deepEqual(await linesOf(bob, "-n", to), [], "nothing tells bob of what he has not accepted");

  const line = (await linesOf(alice, "-n", from))[0]?.next ?? "";
  const words = line.split(" ").slice(2);
  equal((await bob.says(...words.map((word) => (word === '""' ? "" : word)))).code, 0);
  await until("bob sees that the source is to be deleted", async () => {
    const [his] = await linesOf(bob, "-n", to);
    return his?.reason === "AwaitingDeletion" && his.next === `kubectl delete pvc foo -n ${from}`;
  });
  await cluster.kubectl(["-n", from, "delete", "pvc", "foo", "--wait=false"]);
  await until("bob sees that it is his", async () => {
    const [his] = await linesOf(bob, "-n", to);
    return his?.phase === "Complete" && his.next === `kubectl get pvc bar -n ${to}`;
  });
  const back = await bob.says("undo", "bar", "-n", to);
  match(
    back.stdout,
    new RegExp(
      `^kubectl portway give bar ${from}/foo -n ${to} --delete\nkubectl portway accept ${to}/bar foo -n ${from} `,
    ),
  );
});

test("explain runs the table of a give, on both sides of the lock, as far as one may see", async (t) => {
  const world = await twoTeams(t, stage);
  const { from, to, alice, bob } = world;
  await cluster.kubectl(["-n", from, "annotate", "pvc", "foo", "transfer.portway.dev/allow=false"]);
  await alice.says("give", "foo", `${to}/bar`, "-n", from);
  const root = person(t, stage, "admin");
  const stuck = await root.says("explain", "pvc/foo", "-n", from);
  match(stuck.stdout, /given to .*\/bar/);
  match(stuck.stdout, /YES {2}something is in the way/);
  match(stuck.stdout, /In the way:\n {2}- .*allow/);
  const hers = await alice.says("explain", "pvc/foo", "-n", from);
  equal(hers.code, 0, hers.stderr);
  match(hers.stdout, /Could not be seen:\n[^]*all persistentvolumes of the cluster/);
  match(hers.stdout, /In the way:\n {2}- [^]*allow/, "what she may see is judged");

  await cluster.kubectl(["-n", from, "annotate", "pvc", "foo", "transfer.portway.dev/allow-"]);
  await until("the table of the volume speaks", async () => {
    const { stdout } = await root.says("explain", "pvc/foo", "-n", from);
    return /a given volume whose source is there/.test(stdout) && /YES {2}nobody has accepted it/.test(stdout);
  });
  await bob.says(...accepting(from, to));
  await until("both are told what does not fit", async () => {
    const [his, all] = [
      await bob.says("explain", "pvc/bar", "-n", to),
      await root.says("explain", "pvc/bar", "-n", to),
    ];
    return /SpecMismatch/.test(his.stdout) && /YES {2}who accepts it cannot have it/.test(all.stdout);
  });
});

test("a preview of a give says what would be, and changes nothing", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  const { code, stdout, stderr } = await alice.says("preview", "foo", `${to}/bar`, "-n", from);
  equal(code, 0, stderr);
  match(stdout, /the give of \S+\/foo: would work/);
  match(stdout, /the claim \S+\/foo \(Bound, .*\) goes from its namespace/);
  match(stdout, /its policy becomes Retain/);
  const claim = await admin.get(persistentVolumeClaims, { namespace: from, name: "foo" });
  equal(claim.metadata.annotations?.["transfer.portway.dev/transfer-request"], undefined);
  const refused = await bob.says("preview", "foo", `${to}/bar`, "-n", from);
  equal(refused.code, 1, "bob may not read it");
});

test("undo takes a give back, and an accept", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  await alice.says("give", "foo", `${to}/bar`, "-n", from);
  equal((await alice.says("undo", "foo", "-n", from)).code, 2, "not without being asked");
  const back = await alice.says("undo", "foo", "-n", from, "--yes");
  match(back.stdout, /persistentvolumeclaim\/foo is not given any more/, back.stderr);
  const nothing = await alice.says("undo", "foo", "-n", from, "--yes");
  match(nothing.stderr, /nor a claim that is given or accepts/);
  await bob.says(...accepting(from, to));
  const stopped = await bob.says("undo", "bar", "-n", to, "--yes");
  equal(stopped.stdout, "persistentvolumeclaim/bar deleted\n", stopped.stderr);
  await until("it is gone", async () => {
    return (await admin.find(persistentVolumeClaims, { namespace: to, name: "bar" })) === undefined;
  });
});
