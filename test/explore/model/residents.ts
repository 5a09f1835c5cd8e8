import { namespaces, persistentVolumeClaims, persistentVolumes, pods } from "../../../src/api/gen/core.ts";
import type { KubeObject, Metadata, Resource, Stored } from "../../../src/api/object.ts";
import type { Claim, Volume } from "./binding.ts";
import { answerTo } from "./requests.ts";
import { allOf, resourceNameOf, type Saved, type Server } from "./server.ts";
import { change, kindFor, type Transition } from "./transition.ts";

const claimHold = "kubernetes.io/pvc-protection";
const volumeHold = "kubernetes.io/pv-protection";
const reaperHold = "external-provisioner.volume.kubernetes.io/finalizer";
const provisionedBy = "pv.kubernetes.io/provisioned-by";

const isHeldBy = ({ finalizers = [] }: Metadata, hold: string) => finalizers.includes(hold);

function without<T extends Stored<KubeObject>>(object: T, hold: string): T {
  const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== hold);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

function held<T extends Stored<KubeObject>>(object: T, hold: string): T {
  const { finalizers = [] } = object.metadata;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, hold] } };
}

/** Takes the hold on what lives, and lets what is leaving go when nothing needs it any more. */
function protection<T extends KubeObject>(
  resource: Resource<T>,
  hold: string,
  isNeeded: (object: Stored<T>, server: Server) => boolean,
): readonly Transition[] {
  const isLeaving = ({ metadata }: Stored<T>) => metadata.deletionTimestamp !== undefined;
  return [
    {
      says: `${hold} is taken again`,
      from: (server) =>
        allOf(server, resource)
          .filter((one) => !isLeaving(one) && !isHeldBy(one.metadata, hold))
          .flatMap((one) => change(server, resource, held(one, hold))),
    },
    {
      says: `${hold} is let go`,
      from: (server) =>
        allOf(server, resource)
          .filter((one) => isLeaving(one) && isHeldBy(one.metadata, hold) && !isNeeded(one, server))
          .flatMap((one) => change(server, resource, without(one, hold))),
    },
  ];
}

/** Any pod that is there holds its claims, whether it runs or has ended. */
function isUsed({ metadata: { namespace, name } }: Claim, server: Server): boolean {
  return allOf(server, pods).some(
    (pod) =>
      pod.metadata.namespace === namespace &&
      pod.spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name) === true,
  );
}

/** kube-controller-manager's pvc-protection and pv-protection. */
export const protections: readonly Transition[] = [
  ...protection(persistentVolumeClaims, claimHold, isUsed),
  ...protection(persistentVolumes, volumeHold, ({ status }: Volume) => status?.phase === "Bound"),
];

const isDoomed = ({ metadata, spec, status }: Volume) =>
  status?.phase === "Released" &&
  spec?.persistentVolumeReclaimPolicy === "Delete" &&
  metadata.annotations?.[provisionedBy] !== undefined;

/** external-provisioner: a volume that is Released with policy Delete is destroyed, without a look at any claim. */
export const reaper: readonly Transition[] = [
  {
    says: "the reaper destroys the disk of a Released volume of policy Delete",
    from: (server) =>
      allOf(server, persistentVolumes)
        .filter((volume) => isDoomed(volume) && !server.destroyed.has(handleOf(volume)))
        .map((volume) => ({ ...server, destroyed: new Set([...server.destroyed, handleOf(volume)]) })),
  },
  {
    says: "the reaper deletes a volume whose disk it has destroyed",
    from: (server) =>
      allOf(server, persistentVolumes)
        .filter((volume) => isDoomed(volume) && server.destroyed.has(handleOf(volume)))
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map((volume) => deletedIn(server, persistentVolumes, volume)),
  },
  {
    says: "the reaper lets a volume go whose disk it has destroyed",
    from: (server) =>
      allOf(server, persistentVolumes)
        .filter((volume) => server.destroyed.has(handleOf(volume)) && isHeldBy(volume.metadata, reaperHold))
        .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
        .flatMap((volume) => change(server, persistentVolumes, without(volume, reaperHold))),
  },
];

function handleOf({ metadata, spec }: Volume): string {
  return spec?.csi?.volumeHandle ?? metadata.name;
}

/** What a namespace that is going does to what is in it. */
export const namespaceController: readonly Transition[] = [
  {
    says: "an object of a namespace that is going is deleted",
    from: (server) =>
      going(server).flatMap((namespace) =>
        inside(server, namespace).map(([resource, object]) => deletedIn(server, resource, object)),
      ),
  },
  {
    says: "a namespace that is going and empty is gone",
    from: (server) =>
      allOf(server, namespaces)
        .filter(({ metadata }) => going(server).includes(metadata.name))
        .filter(({ metadata }) => ![...server.objects.keys()].some((place) => place.includes(` ${metadata.name}/`)))
        .flatMap((namespace) => change(server, namespaces, { ...namespace, spec: {} } as Stored<KubeObject>)),
  },
];

function going(server: Server): readonly string[] {
  const leaving = allOf(server, namespaces).filter(({ status }) => status?.phase === "Terminating");
  return leaving.map(({ metadata }) => metadata.name);
}

/** Those that are not on their way out already. */
function inside(server: Server, namespace: string): readonly (readonly [Resource, Saved])[] {
  return [...server.objects].flatMap(([place, object]) => {
    const kind = server.kinds.find(({ resource }) => place.startsWith(`${resourceNameOf(resource)} `));
    const isThere = object.metadata.namespace === namespace && object.metadata.deletionTimestamp === undefined;
    return kind !== undefined && isThere ? [[kind.resource, object] as const] : [];
  });
}

export function deletedIn(server: Server, resource: Resource, object: Stored<KubeObject>): Server {
  const { namespace, name, uid } = object.metadata;
  const { group, plural } = kindFor(server, resource)?.resource ?? resource;
  const place = namespace === undefined ? { name } : { namespace, name };
  const body = { preconditions: { uid } };
  return answerTo(server, { verb: "delete", group, resource: plural, ...place, body }).server;
}
