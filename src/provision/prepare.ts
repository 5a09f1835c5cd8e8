import { type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes, secrets } from "../api/gen/core.ts";
import { type VolumeSnapshot, volumeSnapshotContents, volumeSnapshots } from "../api/gen/snapshot.ts";
import { volumeAttributesClasses } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import type { Hand } from "../runtime/hand.ts";
import { must } from "../runtime/must.ts";
import { type ContentVerdict, cloneSourceOf, snapshotSourceOf } from "./content-source.ts";
import { supportsTopology } from "./driver-facts.ts";
import { orderFor, type Reach } from "./make-order.ts";
import { fine, type Order, type Refusal, refused } from "./order.ts";
import { deprecatedIn } from "./parameters.ts";
import type { Seen } from "./seen.ts";
import { type DataSource, isClaim, placeOfSource } from "./source.ts";
import type { Tools } from "./tools.ts";
import { topologyFor } from "./topology.ts";
import { type Claim, keyOfSource, selectedNode } from "./watches.ts";

/** What is to be held while the driver reads it. */
export type Protected =
  | { readonly is: "claim"; readonly object: Stored<PersistentVolumeClaim> }
  | { readonly is: "snapshot"; readonly object: Stored<VolumeSnapshot> };

export type Prepared =
  | { readonly is: "order"; readonly order: Order; readonly protect?: Protected | undefined }
  /** The node that was chosen will not do. */
  | { readonly is: "elsewhere"; readonly because: string }
  | Refusal;

interface Content {
  readonly verdict: ContentVerdict;
  readonly key: string;
  readonly protect?: Protected | undefined;
}

/** Looks up, right now, whatever the order depends on, and makes it. */
export async function prepare(seen: Seen, hand: Hand, tools: Tools): Promise<Prepared> {
  const { facts, settings } = tools;
  const claim = must(seen.claim, "a claim");
  const storageClass = must(seen.storageClass, "a class");
  if (storageClass.provisioner !== facts.name)
    return refused(`the class ${storageClass.metadata.name} is not of the driver ${facts.name}: name another class`);
  for (const sentence of deprecatedIn(storageClass.parameters ?? {}))
    tools.advise(`the class ${storageClass.metadata.name}: ${sentence}`);
  const content = seen.source === undefined ? undefined : await contentOf(seen.source, seen, hand, tools);
  const reach = reachOf(seen, tools);
  if (reach.is !== "fine") return reach;
  const attributes = await attributesOf(claim, hand, tools);
  if (attributes.is === "refused") return attributes;
  const found = { content: content?.verdict, attributes: attributes.value, topology: reach.topology };
  const made = orderFor({ claim, storageClass, driver: facts, settings, ...found });
  if (made.is === "refused") return made;
  const missing = await missingSecret(made.order, hand);
  if (missing !== undefined) return missing;
  return content === undefined
    ? made
    : { is: "order", order: { ...made.order, source: content.key }, protect: content.protect };
}

/** Found out before the intent is stored: an order that cannot be sent would stay open for ever. */
async function missingSecret({ secret }: Order, { live }: Hand): Promise<Refusal | undefined> {
  if (secret === undefined || (await live.find(secrets, secret)) !== undefined) return undefined;
  return refused(`the Secret ${secret.namespace}/${secret.name}, which the class names, is not there: create it`);
}

async function attributesOf({ spec }: Claim, { live }: Hand, { rights }: Tools) {
  const name = spec?.volumeAttributesClassName || undefined;
  if (name === undefined) return fine(undefined);
  if (rights().readAttributes) return fine(await live.find(volumeAttributesClasses, { name }));
  return refused("the provisioner may not read a VolumeAttributesClass: take it out, or widen the provisioner's role");
}

async function contentOf(source: DataSource, seen: Seen, hand: Hand, tools: Tools): Promise<Content> {
  const wanted = { claim: must(seen.claim, "a claim"), storageClass: must(seen.storageClass, "a class"), source };
  const place = placeOfSource(source, wanted.claim);
  const key = keyOfSource(source.kind, place);
  const because = `the ${source.kind} ${source.name} is in another namespace, which is not served yet`;
  if (isForeign(source, wanted.claim)) return { key, verdict: refused(because) };
  if (isClaim(source)) {
    const { claim, volume } = await foundClaim(place, hand);
    const protect = claim === undefined ? undefined : ({ is: "claim", object: claim } as const);
    return { key, verdict: cloneSourceOf(wanted, { claim, volume }), protect };
  }
  const { snapshot, content } = await foundSnapshot(place, hand);
  const { preventVolumeModeConversion } = tools.settings;
  const protect = snapshot === undefined ? undefined : ({ is: "snapshot", object: snapshot } as const);
  return { key, verdict: snapshotSourceOf({ ...wanted, preventVolumeModeConversion }, { snapshot, content }), protect };
}

type Place = ReturnType<typeof placeOfSource>;

async function foundClaim(place: Place, { live }: Hand) {
  const claim = await live.find(persistentVolumeClaims, place);
  const name = claim?.spec?.volumeName || undefined;
  return { claim, volume: name === undefined ? undefined : await live.find(persistentVolumes, { name }) };
}

async function foundSnapshot(place: Place, { live }: Hand) {
  const snapshot = await live.find(volumeSnapshots, place);
  const name = snapshot?.status?.boundVolumeSnapshotContentName || undefined;
  return { snapshot, content: name === undefined ? undefined : await live.find(volumeSnapshotContents, { name }) };
}

function isForeign({ namespace }: DataSource, { metadata }: Claim): boolean {
  return namespace !== undefined && namespace !== metadata.namespace;
}

type Reached =
  | { readonly is: "fine"; readonly topology: Reach | undefined }
  | Exclude<Prepared, { readonly is: "order" }>;

function reachOf({ claim, storageClass }: Seen, { facts, settings, watches }: Tools): Reached {
  if (!supportsTopology(facts) || claim === undefined || storageClass === undefined)
    return { is: "fine", topology: undefined };
  const node = selectedNode(claim.metadata);
  const topology = topologyFor({
    driverName: facts.name,
    claimName: claim.metadata.name,
    selectedNode: node === "" ? undefined : node,
    bindingMode: storageClass.volumeBindingMode,
    allowedTopologies: storageClass.allowedTopologies,
    strict: settings.strictTopology,
    immediateTopology: settings.immediateTopology,
    nodes: [...(watches.nodes?.values() ?? [])],
    csiNodes: [...(watches.csiNodes?.values() ?? [])],
  });
  if (topology.is === "refused") return topology;
  if (topology.is === "node-gone") return { is: "elsewhere", because: `the node ${node} is gone` };
  return { is: "fine", topology: topology.is === "requirement" ? topology : undefined };
}
