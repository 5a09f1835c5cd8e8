import { type Event, events, persistentVolumes } from "../../../src/api/gen/core.ts";
import { keyOf } from "../../fixture/client.ts";
import type { Step } from "./case.ts";
import { resourceOf } from "./kinds.ts";
import { claim, storageClass } from "./objects.ts";
import { bystander, type Claim, isOurs, namesIn, type Scene, type Volume, wordsNow } from "./scene.ts";
import { takeSnapshot } from "./snapshot.ts";
import { filled } from "./words.ts";

/** Answers whether what it waits for came true; nothing when there is nothing to wait for. */
type Play<S extends Step> = (scene: Scene, step: S) => Promise<boolean | void>;
type Acted = Exclude<Step, { readonly do: "look" }>;

const provisionerFinalizer = "external-provisioner.volume.kubernetes.io/finalizer";
/** The scripted driver knows this one. */
const nodeId = "portway-dev";

const plays: { readonly [K in Acted["do"]]: Play<Extract<Acted, { readonly do: K }>> } = {
  async make(scene, { object }) {
    const whole = filled(object, wordsNow(scene, namesIn(scene)));
    const resource = resourceOf(whole.kind);
    const { namespace } = scene;
    const metadata = resource.namespaced ? { ...whole.metadata, namespace } : whole.metadata;
    const stored = await scene.admin.create(resource, { ...whole, metadata });
    if (!resource.namespaced) scene.litter.push([resource, stored]);
  },
  async delete({ admin, namespace, words }, { kind, name: template }) {
    const [resource, name] = [resourceOf(kind), filled(template, words)];
    const key = resource.namespaced ? { namespace, name } : { name };
    const options = kind === "Pod" ? { gracePeriodSeconds: 0 } : {};
    await admin.delete(resource, keyOf(await admin.get(resource, key)), options);
  },
  async bound(scene, { claim }) {
    const isBound = await becomesBound(scene, claim);
    return isBound && (await isTold(scene, "ProvisioningSucceeded", () => scene.claim(claim)?.metadata.uid));
  },
  "bound-by-hand": (scene, { claim }) => becomesBound(scene, claim),
  told(scene, { about, claim, reason }) {
    const subject = () => (about === "claim" ? scene.claim(claim) : scene.volume(claim));
    return isTold(scene, reason, () => subject()?.metadata.uid);
  },
  async bystander(scene) {
    const className = `$case-${bystander}`;
    await plays.make(scene, storageClass({ name: className }));
    await plays.make(scene, claim(bystander, { className }));
    return await scene.sight.until(() => isBound(scene.claim(bystander)));
  },
  "claim-gone": (scene, { claim }) => scene.sight.until(() => scene.claim(claim) === undefined),
  "volume-gone": (scene, { claim }) => scene.sight.until(() => scene.volume(claim) === undefined),
  "volume-is": (scene, { claim, phase }) => scene.sight.until(() => scene.volume(claim)?.status?.phase === phase),
  "volume-held": (scene, { claim, held }) =>
    scene.sight.until(() => {
      const volume = scene.volume(claim);
      return volume !== undefined && (volume.metadata.finalizers ?? []).includes(provisionerFinalizer) === held;
    }),
  "annotation-gone": (scene, { claim, annotation }) =>
    scene.sight.until(() => scene.claim(claim)?.metadata.annotations?.[annotation] === undefined),
  async "delete-volume"(scene, { claim }) {
    await scene.admin.delete(persistentVolumes, keyOf(scene.knownVolume(claim)));
  },
  async "set-policy"(scene, { claim, policy }) {
    const spec = { persistentVolumeReclaimPolicy: policy };
    await scene.admin.merge(persistentVolumes, keyOf(scene.knownVolume(claim)), { spec });
  },
  "take-snapshot": takeSnapshot,
  async publish(scene, { claim }) {
    const volumeCapability = { accessType: { case: "mount", value: {} }, accessMode: { mode: 1 } } as const;
    const volumeId = handleOf(scene, claim);
    await scene.station.controller.controllerPublishVolume({ volumeId, nodeId, volumeCapability });
  },
  async unpublish(scene, { claim }) {
    await scene.station.controller.controllerUnpublishVolume({ volumeId: handleOf(scene, claim), nodeId });
  },
};

export async function take(scene: Scene, step: Acted): Promise<boolean | void> {
  return await plays[step.do](scene, step as never);
}

async function becomesBound(scene: Scene, claim: string): Promise<boolean> {
  // The two are seen on their own: one may be known to be bound before the other.
  return await scene.sight.until(() => isBound(scene.claim(claim)) && isBound(scene.volume(claim)));
}

function isBound(object: Claim | Volume | undefined): boolean {
  return object?.status?.phase === "Bound";
}

async function isTold({ sight }: Scene, reason: string, whom: () => string | undefined): Promise<boolean> {
  return await sight.until(() => {
    const uid = whom();
    const isIt = (event: Event) => event.reason === reason && isOurs(event);
    return uid !== undefined && sight.versions(events, uid).some(({ object }) => isIt(object));
  });
}

function handleOf(scene: Scene, claim: string): string {
  return scene.knownVolume(claim).spec?.csi?.volumeHandle ?? "";
}
