import type { JsonObject } from "@bufbuild/protobuf";
import type { PersistentVolume } from "../api/gen/core.ts";

/** Which Secret, and where; never what is in it. */
export interface SecretPlace {
  readonly name: string;
  readonly namespace: string;
}

/**
 * What is asked of the driver for one claim, and what becomes of the answer: settled once, and the same in every try. It is
 * stored before the driver is asked, so it holds no secret.
 */
export interface Order {
  readonly v: 1;
  readonly claim: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly className: string;
  /** The CreateVolumeRequest as protobuf writes it in JSON, without `secrets`. */
  readonly request: JsonObject;
  /** Whose data goes into the request at every call. */
  readonly secret?: SecretPlace;
  /** What the volume is filled with, by the key of whatever protects it meanwhile. */
  readonly source?: string;
  /** Not every node reaches the driver's volumes: where it says one can be reached is where pods may use it. */
  readonly hasTopology?: true;
  /** The volume as it will be written, but for what only the driver knows: handle, size, context, topology. */
  readonly volume: PersistentVolume;
}

/** It will not work until somebody changes something. Nothing was asked of the driver. */
export interface Refusal {
  readonly is: "refused";
  /** For the claim's events, so it tells its owner nothing about objects that may be of others. */
  readonly because: string;
  /** For whoever runs the provisioner, and nobody else. */
  readonly detail?: string;
}

export type Judged<T> = { readonly is: "fine"; readonly value: T } | Refusal;

export function fine<T>(value: T): Judged<T> {
  return { is: "fine", value };
}

export function refused(because: string, detail?: string): Refusal {
  return detail === undefined ? { is: "refused", because } : { is: "refused", because, detail };
}
