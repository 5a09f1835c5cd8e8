import { ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { monitor } from "../faults/monitor.ts";
import {
  claimThatIs,
  deleteClaim,
  giveTo,
  kickedUntil,
  newBoundPair,
  newClaim,
  newPlace,
  newVolume,
  type Place,
  referenceTo,
  referenceToNobody,
  volumeThatIs,
} from "../fixture/binding.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { binder } from "./model/binder.ts";
import { protections } from "./model/residents.ts";
import { replay } from "./replay.ts";
import { recorded } from "./trace.ts";

/** Everything that the real binder is seen to do must be something that the model's binder may do. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const marks = {
  provisioned: { "pv.kubernetes.io/provisioned-by": "contract.portway.dev" },
  bound: { "pv.kubernetes.io/bound-by-controller": "yes" },
};

const scenes: readonly (readonly [says: string, play: (t: TestContext, place: Place) => Promise<unknown>])[] = [
  [
    "a claim finds a volume by itself, and leaves",
    async (t, place) => {
      const volume = await newVolume(t, admin, place);
      const claim = await newClaim(admin, place);
      await claimThatIs("Bound", admin, keyOf(claim));
      await deleteClaim(admin, claim);
      await volumeThatIs("Released", admin, keyOf(volume));
    },
  ],
  [
    "a volume is given to nobody, and back",
    async (t, place) => {
      const { claim, volume } = await newBoundPair(t, admin, place);
      await giveTo(admin, volume, referenceToNobody(place));
      await kickedUntil("Lost", admin, claim);
      await giveTo(admin, volume, referenceTo(claim));
      await kickedUntil("Bound", admin, claim);
      await volumeThatIs("Bound", admin, keyOf(volume));
    },
  ],
  [
    "a Released volume is given to a claim that does not name it",
    async (t, place) => {
      const volume = await newVolume(t, admin, place, { claimRef: referenceToNobody(place) });
      const released = await volumeThatIs("Released", admin, keyOf(volume));
      const claim = await newClaim(admin, place);
      await giveTo(admin, released, referenceTo(claim));
      await claimThatIs("Bound", admin, keyOf(claim));
    },
  ],
  [
    "a Released volume is given to a claim that names it",
    async (t, place) => {
      const volume = await newVolume(t, admin, place, { claimRef: referenceToNobody(place) });
      const released = await volumeThatIs("Released", admin, keyOf(volume));
      const claim = await newClaim(admin, place, { volumeName: volume.metadata.name });
      await giveTo(admin, released, referenceTo(claim));
      await kickedUntil("Bound", admin, claim);
    },
  ],
  [
    "a volume is reserved by name alone",
    async (t, place) => {
      const volume = await newVolume(t, admin, place, { claimRef: { namespace: place.namespace, name: "reserved" } });
      await volumeThatIs("Available", admin, keyOf(volume));
      const claim = await newClaim(admin, place, {}, { name: "reserved" });
      await claimThatIs("Bound", admin, keyOf(claim));
    },
  ],
  [
    "provisioned and of policy Delete, it is given to a claim that has another",
    async (t, place) => {
      const { claim } = await newBoundPair(t, admin, place);
      const wish = { policy: "Delete", annotations: marks.provisioned, claimRef: referenceTo(claim) } as const;
      await volumeThatIs("Released", admin, keyOf(await newVolume(t, admin, place, wish)));
    },
  ],
  [
    "marked as the binder's, it is given to a claim that has another",
    async (t, place) => {
      const { claim } = await newBoundPair(t, admin, place);
      const wish = { annotations: marks.bound, claimRef: referenceTo(claim) };
      await volumeThatIs("Available", admin, keyOf(await newVolume(t, admin, place, wish)));
    },
  ],
  [
    "by somebody, it is given to a claim that has another",
    async (t, place) => {
      const { claim } = await newBoundPair(t, admin, place);
      const wish = { claimRef: referenceTo(claim) };
      await volumeThatIs("Available", admin, keyOf(await newVolume(t, admin, place, wish)));
    },
  ],
];

for (const [says, play] of scenes) {
  test(`the model allows what the binder does when ${says}`, async (t) => {
    const place = await newPlace(t, admin);
    const isOurs = (object: object) =>
      (object as { readonly spec?: { readonly storageClassName?: string } }).spec?.storageClassName === place.className;
    const watched = [
      { resource: persistentVolumeClaims, namespaces: [place.namespace] },
      { resource: persistentVolumes, only: isOurs },
    ];
    const seer = await monitor({ client: admin, watched });
    t.after(() => seer.close());
    await play(t, place);
    await seer.caughtUp();
    const { counts } = replay({
      trace: recorded([], seer.history()),
      residents: [...binder, ...protections],
    });
    ok(counts.residents >= 2, `only ${counts.residents} changes were the residents' own`);
    t.diagnostic(JSON.stringify(counts));
  });
}
