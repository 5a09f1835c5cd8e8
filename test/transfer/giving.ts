import { equal, notEqual } from "node:assert/strict";
import type { TestContext } from "node:test";
import { type PersistentVolumeClaimSpec, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { journalOn } from "../../src/api/transfer/journal.ts";
import { handOverCondition, seedClaimStatus, seedMarks } from "../../src/api/transfer/names.ts";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { claimThatIs, deleteClaim } from "../fixture/binding.ts";
import { keyOf } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { transferOf } from "../fixture/transfer.ts";
import { boundAs, boundPair, type Pair } from "./ground.ts";

/** The seed's words, and ours for the first of them. */
export const give = "transferRequest";
export const accept = "transferAccept";
export const ours = "transfer.portway.dev/transfer-request";

interface People {
  readonly admin: Client;
  readonly giver?: Client;
  readonly taker?: Client;
}

/** A claim that is given away or takes one over, and what its owner does to it. */
export function handsOf(pair: Pair, { admin, giver = admin, taker = admin }: People) {
  const { from, to } = pair.transfer;
  type Place = typeof from;
  const words = ({ namespace, name }: Place) => `${namespace}/${name}`;
  const ownerOf = ({ namespace }: Place) => (namespace === from.namespace ? giver : taker);
  const annotate = (annotations: Readonly<Record<string, string | null>>, place = from) =>
    ownerOf(place).merge(persistentVolumeClaims, place, { metadata: { annotations } });
  const volume = () => admin.get(persistentVolumes, { name: pair.volume.metadata.name });
  const conditionOn = async (place = from) => {
    const { status } = await admin.get(persistentVolumeClaims, place);
    return status?.conditions?.find(({ type }) => type === handOverCondition);
  };
  const untilMarked = async (mark: string) => {
    await until(`the target says ${mark}`, async () => {
      const found = await admin.find(persistentVolumeClaims, to);
      return found?.metadata.annotations?.[seedClaimStatus] === mark;
    });
  };
  return {
    annotate,
    volume,
    conditionOn,
    untilMarked,
    gives: (key = give, place = to) => annotate({ [key]: words(place) }),
    withdraws: () => annotate({ [give]: null, [ours]: null }),
    async deletes(place = from) {
      await ownerOf(place).delete(persistentVolumeClaims, keyOf(await admin.get(persistentVolumeClaims, place)));
    },
    /** Deletes it, and answers when its name is free. */
    async clears(place = to) {
      await deleteClaim(ownerOf(place), await admin.get(persistentVolumeClaims, place));
    },
    async accepts(spec: PersistentVolumeClaimSpec = {}, place = to) {
      return await ownerOf(place).create(persistentVolumeClaims, {
        metadata: { ...place, annotations: { [accept]: words(from) } },
        spec: { ...plain(pair), ...spec },
      });
    },
    /** What the condition says, once it gives this reason. */
    async untilTold(reason: string, place = from): Promise<string> {
      await until(`${place.name} says ${reason}`, async () => (await conditionOn(place))?.reason === reason);
      return (await conditionOn(place))?.message ?? "";
    },
    async untilLocked() {
      await until("the volume is locked", async () => {
        const reading = journalOn(await volume());
        return reading.is === "give" && reading.journal.outcome === undefined;
      });
    },
    /** It is as if nothing had been given. */
    async untilBack() {
      await until("the policy is back", async () => (await volume()).spec?.persistentVolumeReclaimPolicy === "Delete");
    },
    async untilGone(place = from) {
      await until(`${place.name} is gone`, async () => {
        return (await admin.find(persistentVolumeClaims, place))?.metadata.uid !== pair.claim.metadata.uid;
      });
    },
    /** It is the same volume, bound to the target and to nothing else, with the policy that it had. */
    async arrived() {
      await untilMarked("complete");
      const claim = await claimThatIs("Bound", admin, to);
      const { metadata, spec } = await volume();
      equal(metadata.uid, pair.volume.metadata.uid);
      equal(spec?.claimRef?.uid, claim.metadata.uid);
      equal(spec?.persistentVolumeReclaimPolicy, "Delete");
      equal(metadata.annotations?.[seedMarks.status], "complete");
      equal(claim.spec?.volumeName, metadata.name);
      notEqual((await admin.find(persistentVolumeClaims, from))?.metadata.uid, pair.claim.metadata.uid);
    },
  };
}

export type Hands = ReturnType<typeof handsOf>;

export function plain({ place }: Pair): PersistentVolumeClaimSpec {
  return {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: place.className,
  };
}

/** Two tenants who may give and accept, each in their own namespace; what they agree on works. */
export interface Neighbours extends Pair {
  /** Administers the source's namespace. */
  readonly alice: Client;
  /** Administers the target's. */
  readonly bob: Client;
  readonly hands: Hands;
}

export async function neighbours(t: TestContext, cluster: Handle, admin: Client): Promise<Neighbours> {
  const pair = await boundPair(t, admin);
  const { from, to } = pair.transfer;
  const alice = await tenantWith(t, cluster, "alice", from.namespace, "admin");
  const bob = await tenantWith(t, cluster, "bob", to.namespace, "admin");
  const people = { admin, giver: alice, taker: bob };
  const place = { namespace: from.namespace, className: `${pair.place.className}-legal` };
  const legal = {
    place,
    ...(await boundAs(t, admin, place, {}, "legal")),
    transfer: transferOf({ ...from, name: "legal" }, { ...to, name: "legal" }),
  };
  const hands = handsOf(legal, people);
  await hands.gives();
  await hands.accepts();
  await hands.deletes();
  await hands.arrived();
  return { ...pair, alice, bob, hands: handsOf(pair, people) };
}
