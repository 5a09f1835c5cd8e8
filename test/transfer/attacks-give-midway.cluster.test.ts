import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { events, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { seedClaimStatus } from "../../src/api/transfer/names.ts";
import { actsOf } from "../fixture/audit.ts";
import { claimThatIs } from "../fixture/binding.ts";
import { newNamespace } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { transferOf } from "../fixture/transfer.ts";
import { transferController } from "../fixture/transfer-controller.ts";
import { accept, give, handsOf, neighbours } from "./giving.ts";
import { boundAs, transferGround } from "./ground.ts";
import { onePortwayThatDies } from "./mortal.ts";

/* What changes between the give and its end: the disk behind a name, the one who accepts, the words, and how many wait. */
const ground = await transferGround();
const { cluster, admin, controller } = ground;

test("a disk that takes the place of the given one does not go in its stead, and waits for its turn", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, alice, bob, place, transfer } = teams;
  await hands.gives();
  await hands.untilLocked();
  await hands.deletes();
  await hands.untilGone();
  const other = { place, ...(await boundAs(t, admin, place)), transfer };
  const others = handsOf(other, { admin, giver: alice, taker: bob });
  await others.gives();
  match(await others.untilTold("SourceBusy"), /earlier claim of this name/);
  await others.deletes();
  await hands.accepts();
  await hands.arrived();
  await others.untilLocked();
  await others.untilGone();
  notEqual(teams.volume.metadata.uid, other.volume.metadata.uid);
  match(await others.untilTold("SpecMismatch", transfer.to), /bound to another volume/);
  await others.clears();
  await others.accepts();
  await others.arrived();
});

test("a claim that accepts and is made again as a smaller one gets nothing", async (t) => {
  const { hands, claim, transfer } = await neighbours(t, cluster, admin);
  await hands.gives();
  await hands.accepts();
  await hands.untilMarked("pending");
  await hands.clears();
  await hands.accepts({ resources: { requests: { storage: "1Mi" } } });
  await hands.deletes();
  await hands.untilGone();
  match(await hands.untilTold("SpecMismatch", transfer.to), /less than the 1Gi of the source/);
  equal((await hands.volume()).spec?.claimRef?.uid, claim.metadata.uid);
  await hands.clears();
  await hands.accepts();
  await hands.arrived();
});

test("a give that is led elsewhere leaves whoever waited for it, and goes there", async (t) => {
  const teams = await neighbours(t, cluster, admin);
  const { hands, alice, transfer } = teams;
  const elsewhere = { namespace: await newNamespace(t, admin), name: "baz" };
  const mallory = await tenantWith(t, cluster, "mallory", elsewhere.namespace, "admin");
  const redirected = { ...teams, transfer: transferOf(transfer.from, elsewhere) };
  const theirs = handsOf(redirected, { admin, giver: alice, taker: mallory });
  await hands.gives();
  await hands.accepts();
  await hands.untilMarked("pending");
  await theirs.gives();
  await theirs.accepts();
  await theirs.untilMarked("pending");
  const left = await admin.get(persistentVolumeClaims, transfer.to);
  equal(left.metadata.annotations?.[seedClaimStatus], undefined);
  await theirs.deletes();
  await theirs.arrived();
  equal((await admin.get(persistentVolumeClaims, transfer.to)).status?.phase, "Pending");
});

test("a source on its way out is given as it was, whatever is written on it by then", async (t) => {
  const { hands, alice, transfer } = await neighbours(t, cluster, admin);
  const elsewhere = await newNamespace(t, admin);
  await alice.merge(persistentVolumeClaims, transfer.from, { metadata: { finalizers: ["example.dev/back-up"] } });
  await hands.gives();
  await hands.untilLocked();
  await hands.accepts();
  await hands.untilMarked("pending");
  await hands.deletes();
  await hands.gives(give, { namespace: elsewhere, name: "baz" });
  await hands.withdraws();
  await neighbours(t, cluster, admin);
  equal((await hands.volume()).spec?.persistentVolumeReclaimPolicy, "Retain", "whatever was to be done is done");
  await hands.untilMarked("pending");
  await alice.merge(persistentVolumeClaims, transfer.from, { metadata: { finalizers: null } });
  await hands.arrived();
});

test("whoever takes the word back when the volume is theirs already has it all the same, and it comes to its end", async (t) => {
  const { hands, bob, transfer } = await neighbours(t, cluster, admin);
  const { death } = await onePortwayThatDies(t, ground);
  await hands.gives();
  await hands.accepts();
  await hands.deletes();
  await death;
  await claimThatIs("Bound", admin, transfer.to);
  await bob.merge(persistentVolumeClaims, transfer.to, { metadata: { annotations: { [accept]: null } } });
  await controller.start();
  await hands.arrived();
});

test("so many gives of a namespace wait and no more, the next one is told, and keeps its claim and its quota", async (t) => {
  const { hands, alice, bob, place, transfer } = await neighbours(t, cluster, admin);
  await controller.stopped();
  const strict = await transferController(t, cluster, ["--max-pending-gives=2"]);
  await strict.start();
  const parked = [];
  for (const name of ["one", "two"]) {
    const pair = { place, ...(await boundAs(t, admin, place, {}, name)), transfer: renamed(transfer, name) };
    const theirs = handsOf(pair, { admin, giver: alice, taker: bob });
    await theirs.gives();
    await theirs.untilLocked();
    await theirs.deletes();
    await theirs.untilGone();
    parked.push(theirs);
  }
  await hands.gives();
  match(await hands.untilTold("TooManyGives"), /2 gives of this namespace wait already/);
  await hands.deletes();
  await until("it is told what to do", async () =>
    /remove the annotation/.test((await hands.conditionOn())?.message ?? ""),
  );
  equal(journalOn(await hands.volume()).is, "none");
  equal((await admin.get(persistentVolumeClaims, transfer.from)).status?.phase, "Bound", "it still counts");
  await parked[0]?.accepts();
  await parked[0]?.arrived();
  await hands.accepts();
  await hands.arrived();
  await strict.stopped();
  await controller.start();
});

test("twelve gives that are found at the same moment take the three places there are, and no more", async (t) => {
  const { place, transfer, alice } = await neighbours(t, cluster, admin);
  await controller.stopped();
  const names = Array.from({ length: 12 }, (_, at) => `at-once-${at}`);
  const all = await Promise.all(
    names.map(async (name) => {
      const pair = { place, ...(await boundAs(t, admin, place, {}, name)), transfer: renamed(transfer, name) };
      const hands = handsOf(pair, { admin, giver: alice });
      await hands.gives();
      return hands;
    }),
  );
  const strict = await transferController(t, cluster, ["--max-pending-gives=3"]);
  await strict.start();
  const isLocked = async (hands: (typeof all)[number]) => journalOn(await hands.volume()).is === "give";
  const isTold = async (hands: (typeof all)[number]) => (await hands.conditionOn())?.reason === "TooManyGives";
  await until("each is locked or told", async () => {
    const ends = await Promise.all(all.map(async (hands) => (await isLocked(hands)) || (await isTold(hands))));
    return ends.every(Boolean);
  });
  equal((await Promise.all(all.map(isLocked))).filter(Boolean).length, 3);
  await strict.stopped();
  await controller.start();
});

function renamed({ from, to }: Pick<ReturnType<typeof transferOf>, "from" | "to">, name: string) {
  return transferOf({ ...from, name }, { ...to, name });
}

test("who gave and who accepted is on record, and Portway has neither made nor deleted a claim for them", async (t) => {
  const { hands, transfer, volume } = await neighbours(t, cluster, admin);
  const [from, to] = [`${transfer.from.namespace}/foo`, `${transfer.to.namespace}/bar`];
  await hands.gives();
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
  await until("it is told on the volume", async () => {
    const said: string[] = [];
    const about = `involvedObject.uid=${volume.metadata.uid}`;
    for await (const { items } of admin.pages(events, { namespace: "default", fieldSelector: about }))
      said.push(...items.map(({ message }) => message ?? ""));
    return said.some((words) => words.includes(`${from} is given to ${to}`));
  });
  await until("both are in the log", async () => {
    const log = await readFile(join(cluster.directory, "logs", "audit.log"), "utf8");
    return [`alice gives the claim ${from} to ${to}`, `bob accepts the claim ${from} as ${to}`].every((words) =>
      log.includes(words),
    );
  });
  const acts = (await actsOf(cluster, "portway-transfer")).filter(
    ({ namespace, resource }) =>
      resource === "persistentvolumeclaims" &&
      [transfer.from, transfer.to].some((place) => place.namespace === namespace),
  );
  deepEqual([...new Set(acts.map(({ verb }) => verb))].sort(), ["get", "patch"]);
});
