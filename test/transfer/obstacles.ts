import { match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { persistentVolumeClaims, persistentVolumes, pods } from "../../src/api/gen/core.ts";
import { storageClasses } from "../../src/api/gen/storage.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { Change } from "../../src/kube/json-patch.ts";
import { keyOf } from "../fixture/client.ts";
import { approve, ask, untilComplete, untilTold } from "../fixture/transfer.ts";
import { areUntouched, boundPair, type Pair } from "./ground.ts";

export type Undo = () => Promise<unknown>;

/** Something that stands in the way; what it answers takes it away. */
export interface Obstacle {
  readonly says: string;
  readonly reason: string;
  readonly names: RegExp;
  /** The server speaks only when the target is made: the volume is locked by then, and nothing is destroyed. */
  readonly isLocked?: true;
  readonly put: (pair: Pair, t: TestContext) => Promise<Undo>;
}

/** Each is told in its own words, nothing is touched while it stands there, and the transfer goes on without it. */
export function areWaitedFor(admin: Client, obstacles: readonly Obstacle[]): void {
  for (const { says, reason, names, isLocked, put } of obstacles) {
    test(`${says} is waited for: it is told as ${reason}, and the transfer goes on without it`, async (t) => {
      const pair = await boundPair(t, admin);
      const undo = await put(pair, t);
      await approve(admin, pair.transfer);
      await ask(admin, pair.transfer);
      match(await untilTold(admin, pair.transfer, reason), names);
      if (isLocked !== true) ok(await areUntouched(admin, pair), "nothing is touched while it waits");
      await undo();
      await untilComplete(admin, pair.transfer);
    });
  }
}

/** The ways in which somebody puts something in the way. */
export interface Obstacles {
  readonly made: <T extends KubeObject>(resource: Resource<T>, object: T) => Promise<Undo>;
  /** Beside those of others, which come and go as they like. */
  readonly finalizer: (pair: Pair, name: string) => Promise<Undo>;
  readonly onVolume: (pair: Pair, change: object, back: object) => Promise<Undo>;
  /** As a sidecar of the driver writes it. */
  readonly onClaimStatus: (pair: Pair, status: object, back: object) => Promise<Undo>;
  readonly aPod: (pair: Pair, phase: "Running" | "Succeeded") => Promise<Undo>;
  readonly aClass: (t: TestContext, pair: Pair, more: object) => Promise<void>;
}

export function obstaclesOn(admin: Client): Obstacles {
  async function made<T extends KubeObject>(resource: Resource<T>, object: T): Promise<Undo> {
    const key = keyOf(await admin.create(resource, object));
    return () => admin.delete(resource, key, { gracePeriodSeconds: 0 });
  }

  return {
    made,
    async finalizer({ claim }: Pair, name: string): Promise<Undo> {
      await admin.patch(
        persistentVolumeClaims,
        keyOf(claim),
        new Change(claim, { anyVersion: true }).addFinalizer(name).operations,
      );
      return async () => {
        const change = new Change(await admin.get(persistentVolumeClaims, keyOf(claim)));
        await admin.patch(persistentVolumeClaims, keyOf(claim), change.removeFinalizer(name).operations);
      };
    },
    async onVolume({ volume }: Pair, change: object, back: object): Promise<Undo> {
      await admin.merge(persistentVolumes, keyOf(volume), change);
      return () => admin.merge(persistentVolumes, keyOf(volume), back);
    },
    async onClaimStatus({ claim }: Pair, status: object, back: object): Promise<Undo> {
      const set = (one: object) =>
        admin.merge(persistentVolumeClaims, keyOf(claim), { status: one }, { subresource: "status" });
      await set(status);
      return () => set(back);
    },
    async aPod({ claim }: Pair, phase: "Running" | "Succeeded"): Promise<Undo> {
      const { namespace = "", name } = claim.metadata;
      const undo = await made(pods, {
        metadata: { namespace, name: "user" },
        spec: {
          nodeName: "a-node",
          containers: [{ name: "c", image: "none" }],
          volumes: [{ name: "v", persistentVolumeClaim: { claimName: name } }],
        },
      });
      await admin.merge(pods, { namespace, name: "user" }, { status: { phase } }, { subresource: "status" });
      return undo;
    },
    async aClass(t: TestContext, { place }: Pair, more: object): Promise<void> {
      const undo = await made(storageClasses, {
        metadata: { name: place.className },
        provisioner: "none.portway.dev",
        ...more,
      });
      t.after(undo);
    },
  };
}
