import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { anyJournalOn } from "../../src/api/transfer/journal.ts";
import { until } from "../fixture/portway.ts";
import { cliStage, type TwoTeams, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin } = stage;

/** The words of the line that the giver is told to pass on. */
const acceptWords = (told: string) =>
  (/kubectl portway (accept .*)$/m.exec(told)?.[1] ?? "").split(" ").map((word) => (word === '""' ? "" : word));

async function hasArrived({ volume, to }: TwoTeams): Promise<void> {
  await until("the volume has arrived", async () => {
    const found = await admin.get(persistentVolumes, { name: volume });
    return anyJournalOn(found)?.outcome === "complete" && found.spec?.claimRef?.namespace === to;
  });
}

test("alice gives a claim and deletes it, bob types the line he was given, and the claim is his", async (t) => {
  const world = await twoTeams(t, stage);
  const { from, to, alice, bob } = world;
  const given = await alice.says("give", "foo", `${to}/bar`, "-n", from, "--delete", "--yes");
  equal(given.code, 0, given.stderr);
  match(given.stderr, /is given to .*\/bar: whoever accepts it there gets its volume/, "the plan");
  match(given.stdout, /persistentvolumeclaim\/foo given to .*\/bar\npersistentvolumeclaim\/foo deleted/);
  const accepted = await bob.says(...acceptWords(given.stderr));
  equal(accepted.code, 0, accepted.stderr);
  match(accepted.stdout, /persistentvolumeclaim\/bar accepts .*\/foo/);
  await hasArrived(world);
});

test("alice thinks better of it, first while she has the claim, and then after it is deleted", async (t) => {
  const { from, to, alice, volume } = await twoTeams(t, stage);
  const words = ["-n", from];
  equal((await alice.says("give", "foo", `${to}/bar`, ...words)).code, 0);
  const back = await alice.says("take-back", "foo", ...words);
  equal(back.code, 0, back.stderr);
  const nothing = await alice.says("take-back", "foo", ...words);
  deepEqual([nothing.code, /is not given to anybody/.test(nothing.stderr)], [1, true], nothing.stderr);
  await until("the policy is back", async () => {
    const { spec } = await admin.get(persistentVolumes, { name: volume });
    return spec?.persistentVolumeReclaimPolicy === "Delete";
  });
  const given = await alice.says("give", "foo", `${to}/bar`, ...words, "--delete", "--yes");
  equal(given.code, 0, given.stderr);
  await until("the source is gone", async () => {
    return (await admin.find(persistentVolumeClaims, { namespace: from, name: "foo" })) === undefined;
  });
  const vague = await alice.says("take-back", "foo", ...words);
  match(vague.stderr, /--size and --class/);
  const size = acceptWords(given.stderr).slice(-4);
  const again = await alice.says("take-back", "foo", ...words, ...size);
  equal(again.code, 0, again.stderr);
  await until("it is hers again", async () => {
    const found = await admin.find(persistentVolumeClaims, { namespace: from, name: "foo" });
    return found?.status?.phase === "Bound" && found.spec?.volumeName === volume;
  });
});

test("what would be sent is shown, and nothing is changed", async (t) => {
  const { from, to, alice, bob } = await twoTeams(t, stage);
  for (const how of ["client", "server"]) {
    const dry = await alice.says("give", "foo", `${to}/bar`, "-n", from, "--delete", `--dry-run=${how}`);
    equal(dry.code, 0, dry.stderr);
    match(dry.stdout, /dry run/);
    const made = await bob.says("accept", `${from}/foo`, "-n", to, "--size=1Gi", "--class=x", `--dry-run=${how}`);
    equal(made.code, 0, made.stderr);
  }
  const claim = await admin.get(persistentVolumeClaims, { namespace: from, name: "foo" });
  equal(claim.metadata.annotations?.["transfer.portway.dev/transfer-request"], undefined);
  equal(await admin.find(persistentVolumeClaims, { namespace: to, name: "foo" }), undefined);
});

test("who may not give is told so, and by whom", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  const { code, stderr } = await bob.says("give", "foo", `${to}/bar`, "-n", from);
  equal(code, 1);
  match(stderr, /forbidden|may not/i);
});
