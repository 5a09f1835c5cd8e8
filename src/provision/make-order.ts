import { create, fromJson, type JsonObject, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { defined } from "../api/defined.ts";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import type { StorageClass, VolumeAttributesClass } from "../api/gen/storage.ts";
import type { Stored } from "../api/object.ts";
import { type CreateVolumeRequest, CreateVolumeRequestSchema } from "../rpc/gen/csi_pb.js";
import { capabilitiesOf } from "./capabilities.ts";
import type { ContentSource, ContentVerdict } from "./content-source.ts";
import { type ControllerCapability, type DriverFacts, supportsTopology } from "./driver-facts.ts";
import { fine, type Judged, type Order, type Refusal, refused } from "./order.ts";
import { driverParametersOf, fsTypeOf, metadataFor } from "./parameters.ts";
import { secretsOf } from "./secret-names.ts";
import { bytesOf, mostBytes } from "./size.ts";
import { isClaim, isSnapshot, sourceOf } from "./source.ts";
import type { Segments } from "./topology-terms.ts";
import { type VolumeNaming, volumeNameOf } from "./volume-name.ts";
import { templateOf } from "./volume-template.ts";

export interface OrderSettings extends VolumeNaming {
  readonly defaultFsType: string;
  readonly extraCreateMetadata: boolean;
  readonly controllerPublishReadOnly: boolean;
  readonly identity: string;
}

/** Where the volume may be, and where best. */
export interface Reach {
  readonly requisite: readonly Segments[];
  readonly preferred: readonly Segments[];
}

export interface OrderInputs {
  readonly claim: Stored<PersistentVolumeClaim>;
  readonly storageClass: StorageClass;
  readonly driver: DriverFacts;
  readonly settings: OrderSettings;
  /** What was found of the claim's source; a claim with a source is never given an empty volume instead. */
  readonly content?: ContentVerdict | undefined;
  readonly topology?: Reach | undefined;
  /** What was found of the claim's VolumeAttributesClass. */
  readonly attributes?: VolumeAttributesClass | undefined;
}

export type OrderVerdict = { readonly is: "order"; readonly order: Order } | Refusal;

type RequestInit = Exclude<MessageInitShape<typeof CreateVolumeRequestSchema>, CreateVolumeRequest>;

/** What to ask of the driver for a claim. The checks come in the order in which external-provisioner's users know them. */
export function orderFor(inputs: OrderInputs): OrderVerdict {
  const { claim, storageClass, driver, settings } = inputs;
  const { parameters = {} } = storageClass;
  const { namespace = "", name, uid, annotations } = claim.metadata;
  const lack = lackOf(inputs);
  if (lack !== undefined) return refused(lack);
  const volumeName = volumeNameOf(settings, uid);
  if (volumeName.is === "refused") return volumeName;
  const fsType = fsTypeOf(parameters, settings.defaultFsType);
  if (fsType.is === "refused") return fsType;
  const wish = wishOf(inputs, fsType.value);
  if (wish.is === "refused") return wish;
  const owner = { namespace, name, ...defined({ annotations }) };
  const secrets = secretsOf({ parameters, volumeName: volumeName.value, claim: owner });
  if (secrets.is === "refused") return secrets;
  const words = wordsOf(inputs, volumeName.value);
  if (words.is === "refused") return words;
  const request = create(CreateVolumeRequestSchema, { ...wish.value, ...words.value, name: volumeName.value });
  const { provisioner: secret } = secrets.value;
  const made = { name: volumeName.value, fsType: fsType.value, secrets: secrets.value };
  return {
    is: "order",
    order: {
      v: 1,
      claim: { namespace, name, uid },
      className: storageClass.metadata.name ?? "",
      request: toJson(CreateVolumeRequestSchema, request) as JsonObject,
      ...defined({ secret, hasTopology: supportsTopology(driver) ? (true as const) : undefined }),
      volume: templateOf({ ...settings, claim, storageClass, driver: driver.name, ...made }),
    },
  };
}

/** The order as the driver is asked it. Secrets go in here and are kept nowhere. */
export function requestOf(order: Order, secrets: Readonly<Record<string, string>> = {}): CreateVolumeRequest {
  const request = fromJson(CreateVolumeRequestSchema, order.request);
  request.secrets = { ...secrets };
  return request;
}

/** What the driver would have to be able to do, or the claim not to ask for. */
function lackOf({ claim, driver, content }: OrderInputs): string | undefined {
  const source = sourceOf(claim);
  const given = content?.is === "source" ? content.source : {};
  const needs: readonly (readonly [isNeeded: boolean, ControllerCapability, toDo: string])[] = [
    [true, "CREATE_DELETE_VOLUME", "make volumes on demand"],
    [(source && isSnapshot(source)) || "snapshotId" in given, "CREATE_DELETE_SNAPSHOT", "restore snapshots"],
    [(source && isClaim(source)) || "volumeId" in given, "CLONE_VOLUME", "clone volumes"],
    [Boolean(claim.spec?.volumeAttributesClassName), "MODIFY_VOLUME", "honour a VolumeAttributesClass"],
  ];
  if (!driver.plugin.has("CONTROLLER_SERVICE"))
    return `the driver ${driver.name} cannot make volumes on demand: it does not report CONTROLLER_SERVICE`;
  const lack = needs.find(([isNeeded, capability]) => isNeeded && !driver.capabilities.has(capability));
  if (lack !== undefined) return `the driver ${driver.name} cannot ${lack[2]}: it does not report ${lack[1]}`;
  if (claim.spec?.selector !== undefined)
    return "a claim with a selector only ever gets a volume that is there already: take the selector out, or have such a volume made";
  return undefined;
}

/** How big, for whom, filled with what, and where. */
function wishOf({ claim, storageClass, driver, content, topology }: OrderInputs, fsType: string): Judged<RequestInit> {
  const capacity = capacityOf(claim);
  if (capacity.is === "refused") return capacity;
  const capabilities = capabilitiesOf(claim, driver, { fsType, mountFlags: storageClass.mountOptions ?? [] });
  if (capabilities.is === "refused") return capabilities;
  if (content?.is === "refused") return content;
  const source = sourceOf(claim);
  if (content === undefined && source !== undefined)
    return refused(
      `the claim asks for the data of ${source.kind} ${source.name}, and it was not looked up: it gets no empty volume`,
    );
  return fine({
    capacityRange: { requiredBytes: capacity.value },
    volumeCapabilities: [...capabilities.value],
    ...(content === undefined ? {} : { volumeContentSource: { type: contentOf(content.source) } }),
    ...(topology === undefined || !supportsTopology(driver) ? {} : { accessibilityRequirements: reachOf(topology) }),
  });
}

function capacityOf({ spec }: PersistentVolumeClaim): Judged<bigint> {
  const asked = spec?.resources?.requests?.["storage"];
  const bytes = bytesOf(asked);
  if (bytes === undefined) return refused(`the claim's size "${asked ?? ""}" cannot be read: ask for one such as 1Gi`);
  return bytes > mostBytes ? refused(`no driver can be asked for as much as ${asked}: ask for less`) : fine(bytes);
}

function contentOf(source: ContentSource) {
  return "snapshotId" in source
    ? ({ case: "snapshot", value: { snapshotId: source.snapshotId } } as const)
    : ({ case: "volume", value: { volumeId: source.volumeId } } as const);
}

function reachOf({ requisite, preferred }: Reach) {
  const listed = (all: readonly Segments[]) => all.map((segments) => ({ segments: { ...segments } }));
  return { requisite: listed(requisite), preferred: listed(preferred) };
}

/** The driver's own parameters, of the class and of the attributes class. */
function wordsOf(inputs: OrderInputs, volumeName: string): Judged<RequestInit> {
  const { claim, storageClass, settings } = inputs;
  const parameters = driverParametersOf(storageClass.parameters ?? {});
  if (parameters.is === "refused") return parameters;
  const mutable = mutableOf(inputs);
  if (mutable.is === "refused") return mutable;
  const { namespace = "", name } = claim.metadata;
  const more = settings.extraCreateMetadata ? metadataFor({ namespace, name }, volumeName) : {};
  return fine({ parameters: { ...parameters.value, ...more }, mutableParameters: { ...mutable.value } });
}

function mutableOf({ claim, driver, attributes }: OrderInputs): Judged<Readonly<Record<string, string>>> {
  const name = claim.spec?.volumeAttributesClassName;
  if (!name) return fine({});
  if (attributes === undefined)
    return refused(`the VolumeAttributesClass ${name} is not there: create it, or name another one`);
  if (attributes.driverName === driver.name) return fine(attributes.parameters ?? {});
  return refused(
    `the VolumeAttributesClass ${name} is for the driver ${attributes.driverName}, and the claim's class for ${driver.name}: name another one`,
  );
}
