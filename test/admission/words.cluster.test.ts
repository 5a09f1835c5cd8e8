import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { acceptAnnotations, giveAnnotations } from "../../src/api/transfer/names.ts";
import { adminClient, keyOf, refusalOf } from "../fixture/client.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { annotate, claimBy, isHeld } from "./claims.ts";
import { teamOn } from "./team.ts";

/* What may be written into the annotations, whoever writes it. */
const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

const team = (t: TestContext) => teamOn(t, cluster, admin);

const [twin, acceptTwin] = [giveAnnotations[1], acceptAnnotations[1]];
const long = "x".repeat(63);
const wrong: readonly (readonly [says: string, annotations: Record<string, string>, sentence: RegExp])[] = [
  ["nothing", { transferRequest: "" }, /transferRequest is "", which names no claim\. Write NAMESPACE\/NAME/],
  ["no namespace", { transferRequest: "data" }, /transferRequest is "data", which names no claim/],
  ["no name", { [twin]: "team-b/" }, /transfer-request is "team-b\/", which names no claim/],
  ["three parts", { transferRequest: "a/b/c" }, /names no claim/],
  ["capitals", { transferAccept: "Team/data" }, /transferAccept is "Team\/data", which names no claim/],
  ["a dot in the namespace", { transferRequest: "a.b/data" }, /names no claim/],
  ["a line break", { transferRequest: "a/data\n" }, /names no claim/],
  ["a space", { [acceptTwin]: "a /data" }, /names no claim/],
  ["a namespace that is too long", { transferRequest: `${long}x/data` }, /names no claim/],
  ["a name that is too long", { transferRequest: `a/${`${long}.`.repeat(4)}x` }, /names no claim/],
  ["far too much", { transferRequest: "x".repeat(200_000) }, /transferRequest has more than 317 characters/],
  [
    "two gifts",
    { transferRequest: "a/x", [twin]: "a/y" },
    /do not name the same claim\. Write one of them, or both alike/,
  ],
  ["two sources", { transferAccept: "a/x", [acceptTwin]: "a/y" }, /do not name the same claim/],
];

for (const [says, annotations, sentence] of wrong) {
  test(`${says} is told at once, and nothing changes`, async (t) => {
    const { alice } = await team(t);
    const claim = await claimBy(alice);
    for (const refusal of [
      await refusalOf(annotate(alice.as, claim, annotations)),
      await refusalOf(claimBy(alice, { annotations })),
    ]) {
      deepEqual([refusal.code, refusal.deniedBy, refusal.trouble], [422, "portway-consent-claims", "refused"]);
      match(refusal.message, sentence);
      ok(refusal.message.length < 1000, "in one sentence");
    }
    const { metadata } = await admin.get(persistentVolumeClaims, keyOf(claim));
    equal(metadata.resourceVersion, claim.metadata.resourceVersion);
  });
}

test("the longest names are taken, both forms alike are taken, and so are a thousand other annotations", async (t) => {
  const { alice } = await team(t);
  const longest = `${long}/${`${long}.`.repeat(3)}${"x".repeat(61)}`;
  equal(longest.length, 317);
  const others = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`example.dev/note-${n}`, "x"]));
  const claim = await claimBy(alice, { annotations: others });
  ok(isHeld(await annotate(alice.as, claim, { transferRequest: longest, [twin]: longest })));
});

test("nobody gives a claim to itself; to accept under one's own name is how one takes it back", async (t) => {
  const { alice, namespace } = await team(t);
  const claim = await claimBy(alice);
  const itself = `${namespace}/${claim.metadata.name}`;
  const refusal = await refusalOf(annotate(alice.as, claim, { transferRequest: itself }));
  deepEqual([refusal.code, refusal.deniedBy], [422, "portway-consent-claims"]);
  match(refusal.message, new RegExp(`The claim ${itself} is given to itself`));
  await annotate(alice.as, claim, { transferRequest: `${namespace}/another` });
  await claimBy(alice, { name: "mine", annotations: { transferAccept: `${namespace}/mine` } });
});
