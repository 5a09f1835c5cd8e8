import { namespaces, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { ObjectKey } from "../../src/api/object.ts";
import { holdFinalizer, holdSelector } from "../../src/api/transfer/names.ts";
import { decide, type Table } from "../../src/runtime/table.ts";
import { type Step as OfferStep, offered } from "../../src/transfer/give/rules.ts";
import { type Offered, observeOffer } from "../../src/transfer/give/seen.ts";
import { reportOffer } from "../../src/transfer/give/status.ts";
import { actOnOffer } from "../../src/transfer/give/steps.ts";
import { giving, type Step, tableFor, taking, withdrawing } from "../../src/transfer/given/rules.ts";
import { type Given, observeGiven } from "../../src/transfer/given/seen.ts";
import { reportGiven } from "../../src/transfer/given/status.ts";
import { actOnGiven } from "../../src/transfer/given/steps.ts";
import { transferWatches } from "../../src/transfer/watches.ts";
import { type Act, people, processes, residents } from "../explore/actors.ts";
import { startOf, type Wiring } from "../explore/controllers.ts";
import { binder } from "../explore/model/binder.ts";
import { namespaceController, protections, reaper } from "../explore/model/residents.ts";
import { settled } from "../explore/settle.ts";
import { controlled } from "../explore/turns.ts";
import { away, type ModelFlow } from "./flow-model.ts";
import { giver, invariants, sourceKey, taker, targetKey, volumeName } from "./give-invariants.ts";
import { worldWithVolume } from "./model-ground.ts";

const give = { transferRequest: `${taker}/${targetKey.name}` };
const accept = { transferAccept: `${giver}/${sourceKey.name}` };

/** As admission writes them: a given claim is held, and one that accepts is kept from every other volume. */
function claimAt(key: ObjectKey, annotations: Readonly<Record<string, string>>, spec: object = {}) {
  return {
    metadata: { ...key, annotations },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "fast",
      ...spec,
    },
  };
}

const accepting = (key: ObjectKey) => claimAt(key, accept, { selector: { matchLabels: holdSelector } });

/** Everything that the two sides may do. */
export const acts = {
  deleteSource: { says: "deletes the source", act: (client) => away(client, persistentVolumeClaims, sourceKey) },
  withdraw: {
    says: "withdraws the give",
    act: (client) =>
      client.merge(persistentVolumeClaims, sourceKey, { metadata: { annotations: { transferRequest: null } } }),
  },
  giveAgain: {
    says: "gives it again",
    async act(client) {
      const { metadata } = await client.get(persistentVolumeClaims, sourceKey);
      const isLeaving = metadata.deletionTimestamp !== undefined;
      const finalizers = [...new Set([...(metadata.finalizers ?? []), holdFinalizer])];
      const change = { annotations: give, ...(isLeaving ? {} : { finalizers }) };
      return await client.merge(persistentVolumeClaims, sourceKey, { metadata: change });
    },
    after: ["withdraws the give"],
  },
  accept: { says: "accepts it", act: (client) => client.create(persistentVolumeClaims, accepting(targetKey)) },
  plantTarget: {
    says: "takes the target's name and accepts nothing",
    act: (client) => client.create(persistentVolumeClaims, claimAt(targetKey, {}, { volumeName })),
  },
  deleteTarget: { says: "deletes the target", act: (client) => away(client, persistentVolumeClaims, targetKey) },
  takeBack: {
    says: "takes it back",
    act: (client) => client.create(persistentVolumeClaims, accepting(sourceKey)),
    after: ["deletes the source"],
  },
  newSource: {
    says: "makes an empty claim of the source's name",
    act: (client) => client.create(persistentVolumeClaims, claimAt(sourceKey, {})),
    after: ["deletes the source"],
  },
  dropTaker: { says: "deletes the taking namespace", act: (client) => away(client, namespaces, { name: taker }) },
  dropGiver: { says: "deletes the giving namespace", act: (client) => away(client, namespaces, { name: giver }) },
} as const satisfies Readonly<Record<string, Act>>;

export interface GiveSetting {
  readonly acts: readonly Act[];
  readonly delays?: number;
  /** A row of any of the tables that is not there. */
  readonly without?: string;
}

function wiring(without: string | undefined): Wiring {
  const remaining = <Seen, Steps extends string>(table: Table<Seen, Steps>) =>
    table.filter(([says]) => says !== without);
  return (sources) => {
    const watches = transferWatches(sources);
    const settings = { transfersAreOn: true, mostPending: 50 };
    return [
      controlled<Offered, OfferStep>(
        {
          name: "give",
          observe: (key, look) => observeOffer(watches, settings, key, look),
          decide: (seen) => decide(remaining(offered), seen),
          act: actOnOffer,
          report: reportOffer,
        },
        { keys: [`${giver}/${sourceKey.name}`], tables: [remaining(offered)] },
      ),
      controlled<Given, Step>(
        {
          name: "given",
          observe: (key, look) => observeGiven(watches, key, look),
          decide: (seen) => decide(remaining(tableFor(seen)), seen),
          act: actOnGiven,
          report: reportGiven,
        },
        { keys: [`${giver}/${volumeName}`], tables: [giving, withdrawing, taking].map((table) => remaining(table)) },
      ),
    ];
  };
}

/** A bound claim that is given a moment ago, a reaper that destroys what it may, and what people can do. */
export async function giveFlowOf({ acts, delays = 0, without }: GiveSetting): Promise<ModelFlow> {
  const holder = await worldWithVolume(volumeName, giver, taker);
  const { client } = holder;
  const source = claimAt(sourceKey, give, { volumeName });
  await client.create(persistentVolumeClaims, {
    ...source,
    metadata: { ...source.metadata, finalizers: [holdFinalizer] },
  });
  const server = settled(holder.server(), [...binder, ...protections]);
  const wire = wiring(without);
  const ours = processes({ wire, delays });
  const inhabitants = [...binder, ...protections, ...namespaceController];
  const others = [residents("kube-controller-manager", inhabitants), residents("provisioner", reaper), people(acts)];
  return {
    start: startOf(wire, server),
    actors: [...ours.actors, ...others],
    controllers: ours.controllers,
    invariants,
  };
}
