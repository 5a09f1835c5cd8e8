import type { KubeObject } from "../../../src/api/object.ts";

/**
 * Which driver, and how the provisioner beside it was started. All but host-path are the scripted driver of test/driver, which
 * speaks CSI 1.12 with every capability.
 */
export const stationKinds = {
  "host-path": "csi-driver-host-path v1.7.2, with topology",
  scripted: "the scripted driver",
  secrets: "the scripted driver; the provisioner may read Secrets",
  zones: "the scripted driver in two zones",
  strict: "the scripted driver in two zones, `--strict-topology`",
} as const;

export type StationKind = keyof typeof stationKinds;

/**
 * Objects are written with these words, which every run replaces by names of its own: `$case` is the namespace, and the
 * beginning of the name of everything that has none; `$driver` serves the case, `$other` is another driver with a
 * provisioner of its own; `$run` begins the names of the nodes.
 */
export type Template = KubeObject & { readonly apiVersion: string; readonly kind: string };

export interface Make {
  readonly do: "make";
  readonly object: Template;
}

export type Step =
  | Make
  /** The claim is Bound and the provisioner says that it succeeded. */
  | { readonly do: "bound"; readonly claim: string }
  /** The binder has bound it, and nobody has provisioned anything. */
  | { readonly do: "bound-by-hand"; readonly claim: string }
  /** An event with this reason about a claim, or about the volume of a claim. */
  | { readonly do: "told"; readonly reason: string; readonly claim: string; readonly about: "claim" | "volume" }
  /** Another claim of the same driver comes, is served and stays: whoever wanted to do something about the first has had its turn. */
  | { readonly do: "bystander" }
  | { readonly do: "delete"; readonly kind: string; readonly name: string }
  /** The claim of this name is not there any more. */
  | { readonly do: "claim-gone"; readonly claim: string }
  | { readonly do: "volume-gone"; readonly claim: string }
  | { readonly do: "volume-is"; readonly phase: string; readonly claim: string }
  /** Somebody asks for the volume itself to be deleted. */
  | { readonly do: "delete-volume"; readonly claim: string }
  | { readonly do: "set-policy"; readonly policy: "Delete" | "Retain"; readonly claim: string }
  /** Whether the finalizer of provisioners is on the volume. */
  | { readonly do: "volume-held"; readonly held: boolean; readonly claim: string }
  /** The claim has no such annotation any more. */
  | { readonly do: "annotation-gone"; readonly annotation: string; readonly claim: string }
  | ({ readonly do: "take-snapshot" } & SnapshotWish)
  /** As a node does that uses the volume, seen by the driver only. */
  | { readonly do: "publish"; readonly claim: string }
  | { readonly do: "unpublish"; readonly claim: string }
  /** What the claims and the volumes are like at this moment is compared. */
  | { readonly do: "look"; readonly says: string };

export interface SnapshotWish {
  readonly snapshot: string;
  readonly claim: string;
  readonly ready?: boolean;
  readonly driver?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Case {
  /** A sentence that says what is asked of a provisioner. */
  readonly says: string;
  readonly on: readonly StationKind[];
  readonly steps: readonly Step[];
}
