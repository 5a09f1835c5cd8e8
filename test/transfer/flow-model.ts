import { namespaces, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import {
  storageTransferApprovals,
  storageTransferPolicies,
  storageTransferRequests,
} from "../../src/api/gen/transfer.ts";
import type { KubeObject, ObjectKey, Resource } from "../../src/api/object.ts";
import { idAnnotation } from "../../src/api/transfer/names.ts";
import type { Client } from "../../src/kube/client.ts";
import type { Sources } from "../../src/runtime/sources.ts";
import { decide, type Table } from "../../src/runtime/table.ts";
import type { PodWatch } from "../../src/transfer/pod-watch.ts";
import { proposed } from "../../src/transfer/proposal/rules.ts";
import { observeProposal } from "../../src/transfer/proposal/seen.ts";
import { reportProposal } from "../../src/transfer/proposal/status.ts";
import { actOnProposal } from "../../src/transfer/proposal/steps.ts";
import { giving, type Step, tableFor, taking, undoing } from "../../src/transfer/rules.ts";
import { observeUnderWay, type UnderWay } from "../../src/transfer/seen.ts";
import { standing as standingTable } from "../../src/transfer/standing/rules.ts";
import { observePolicy } from "../../src/transfer/standing/seen.ts";
import { reportPolicy } from "../../src/transfer/standing/status.ts";
import { actOnPolicy } from "../../src/transfer/standing/steps.ts";
import { report } from "../../src/transfer/status.ts";
import { act } from "../../src/transfer/steps.ts";
import { transferWatches } from "../../src/transfer/watches.ts";
import { type Act, people, processes, residents } from "../explore/actors.ts";
import { type Controllers, startOf, type Wiring } from "../explore/controllers.ts";
import type { Invariant } from "../explore/explore.ts";
import { binder } from "../explore/model/binder.ts";
import { namespaceController, protections, reaper } from "../explore/model/residents.ts";
import { settled } from "../explore/settle.ts";
import { controlled } from "../explore/turns.ts";
import type { Actor, World } from "../explore/world.ts";
import {
  approval,
  giver,
  invariants,
  policy,
  request,
  sourceKey,
  taker,
  targetKey,
  volumeName,
} from "./flow-invariants.ts";
import { worldWithVolume } from "./model-ground.ts";

/** The tables as they ship, or with a bug planted in them. */
export interface Planted {
  /** A row of any of the tables that is not there. */
  readonly without?: string;
  /** It is approved beforehand, once, by a policy. */
  readonly standing?: true;
}

/** Nobody uses the claims: what pods do to them is proved on the real server. */
const noPods: PodWatch = { usersOf: async () => [], release: () => undefined, stop: async () => undefined };

export function wiring({ without, standing }: Planted = {}): Wiring {
  const remaining = <Seen, Steps extends string>(table: Table<Seen, Steps>) =>
    table.filter(([says]) => says !== without);
  return (sources: Sources) => {
    const watches = transferWatches(sources);
    return [
      controlled(
        {
          name: "transfer-request",
          observe: (key, look) => observeProposal(watches, noPods, true, key, look),
          decide: (seen) => decide(proposed, seen),
          act: actOnProposal,
          report: reportProposal,
        },
        { keys: [`${request.namespace}/${request.name}`], tables: [proposed] },
      ),
      controlled<UnderWay, Step>(
        {
          name: "transfer",
          observe: (key, look) => observeUnderWay(watches, noPods, key, look),
          decide: (seen) => decide(remaining(tableFor(seen)), seen),
          act,
          report,
        },
        { keys: [`${giver}/${volumeName}`], tables: [giving, taking, undoing].map((table) => remaining(table)) },
      ),
      ...(standing === true
        ? [
            controlled(
              {
                name: "transfer-policy",
                observe: async (key, look) => observePolicy(watches, key, look),
                decide: (seen) => decide(remaining(standingTable), seen),
                act: actOnPolicy,
                report: reportPolicy,
              },
              { keys: [`${policy.namespace}/${policy.name}`], tables: [remaining(standingTable)] },
            ),
          ]
        : []),
    ];
  };
}

function claimAt(key: ObjectKey, volume?: string) {
  const named = volume === undefined ? {} : { volumeName: volume };
  return {
    metadata: key,
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "fast",
      ...named,
    },
  };
}

export async function away<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<unknown> {
  const { uid } = (await client.get(resource, key)).metadata;
  return await client.delete(resource, { ...key, uid });
}

/** Everything that the two sides may do while a volume is on its way. */
export const acts = {
  revoke: { says: "withdraws the approval", act: (client) => away(client, storageTransferApprovals, approval) },
  dropPolicy: { says: "deletes the policy", act: (client) => away(client, storageTransferPolicies, policy) },
  withdraw: { says: "withdraws the request", act: (client) => away(client, storageTransferRequests, request) },
  deleteSource: { says: "deletes the source", act: (client) => away(client, persistentVolumeClaims, sourceKey) },
  newSource: {
    says: "makes the source again",
    act: (client) => client.create(persistentVolumeClaims, claimAt(sourceKey)),
    after: ["deletes the source"],
  },
  deleteTarget: { says: "deletes the target", act: (client) => away(client, persistentVolumeClaims, targetKey) },
  plantTarget: {
    says: "takes the target's name",
    act: (client) => client.create(persistentVolumeClaims, claimAt(targetKey, volumeName)),
  },
  freeName: {
    says: "frees the target's name",
    async act(client) {
      const { metadata } = await client.get(persistentVolumeClaims, targetKey);
      // Its own claim, not the one that has got the volume.
      if (metadata.annotations?.[idAnnotation] === undefined) await away(client, persistentVolumeClaims, targetKey);
    },
    after: ["takes the target's name"],
  },
  dropTaker: { says: "deletes the taking namespace", act: (client) => away(client, namespaces, { name: taker }) },
  dropGiver: { says: "deletes the giving namespace", act: (client) => away(client, namespaces, { name: giver }) },
} as const satisfies Readonly<Record<string, Act>>;

export interface ModelFlow {
  readonly start: World;
  readonly actors: readonly Actor[];
  readonly controllers: Controllers;
  readonly invariants: readonly Invariant[];
}

const inhabitants = [...binder, ...protections, ...namespaceController];

interface Setting extends Planted {
  readonly acts: readonly Act[];
  /** How many of our requests may arrive after we have given them up. */
  readonly delays?: number;
}

/** A bound claim with both consents, a reaper that destroys what it may, and what people can do to it. */
export async function flowOf({ acts, delays = 0, ...planted }: Setting): Promise<ModelFlow> {
  const holder = await worldWithVolume(volumeName, giver, taker);
  const { client } = holder;
  await client.create(persistentVolumeClaims, claimAt(sourceKey, volumeName));
  const kind = "PersistentVolumeClaim";
  const given = { source: { name: sourceKey.name, kind }, targetNamespace: taker, requestName: request.name };
  const beforehand = { targets: { namespaces: [taker] }, count: 1 };
  if (planted.standing === true) await client.create(storageTransferPolicies, { metadata: policy, spec: beforehand });
  else await client.create(storageTransferApprovals, { metadata: approval, spec: given });
  const wanted = { source: { ...sourceKey, kind }, approvalName: approval.name, targetName: targetKey.name };
  await client.create(storageTransferRequests, { metadata: request, spec: wanted });
  const server = settled(holder.server(), [...binder, ...protections]);
  const wire = wiring(planted);
  const ours = processes({ wire, delays });
  const others = [residents("kube-controller-manager", inhabitants), residents("provisioner", reaper), people(acts)];
  return {
    start: startOf(wire, server),
    actors: [...ours.actors, ...others],
    controllers: ours.controllers,
    invariants,
  };
}
