import type { BucketClass, BucketClassSecretRef } from "../gen/cosi.ts";

/** What a class means for a bucket, with what is captured of it; or why it means nothing. */
export type ClassCase =
  | { readonly is: "Greenfield"; readonly provisioner: string; readonly releasePolicy: "Delete" | "Retain" }
  | {
      readonly is: "Brownfield";
      readonly provisioner: string;
      readonly bucketIdentifier: string;
      readonly releasePolicy: "Retain";
    }
  | { readonly is: "Static"; readonly secretRef: BucketClassSecretRef; readonly releasePolicy: "Retain" }
  | { readonly is: "Undefined"; readonly why: string };

/** The server says the same when a class is written; a class may be older than the server's rules. */
export const undefinedBecause = {
  both:
    "bucketIdentifier and secretRef cannot be combined. Keep bucketIdentifier for keys to a bucket that exists, or " +
    "secretRef for a bucket whose keys exist as well.",
  servedByNobody:
    "A class needs either provisioner, the driver that serves it, or secretRef, the Secret with keys that exist " +
    "already. Set exactly one of them.",
  wouldDelete:
    "A bucket that was there before is never deleted. With bucketIdentifier or secretRef, releasePolicy must be Retain.",
  twoIdentifiers: "objectBucketName is the old name of bucketIdentifier, and they differ. Keep bucketIdentifier.",
} as const;

/** What is written in a class. Empty fields are as good as absent ones. */
interface Written {
  readonly identifier: string | undefined;
  readonly alias: string | undefined;
  readonly provisioner: string | undefined;
  readonly secretRef: BucketClassSecretRef | undefined;
  readonly releasePolicy: "Delete" | "Retain";
}

const objections: readonly (readonly [why: keyof typeof undefinedBecause, holds: (written: Written) => boolean])[] = [
  ["twoIdentifiers", ({ identifier, alias }) => alias !== undefined && alias !== identifier],
  ["both", ({ identifier, secretRef }) => identifier !== undefined && secretRef !== undefined],
  ["servedByNobody", ({ provisioner, secretRef }) => (provisioner === undefined) === (secretRef === undefined)],
  ["wouldDelete", (written) => wasThereBefore(written) && written.releasePolicy !== "Retain"],
];

export function caseOf(bucketClass: BucketClass): ClassCase {
  const written = writtenIn(bucketClass);
  const objection = objections.find(([, holds]) => holds(written));
  if (objection !== undefined) return { is: "Undefined", why: undefinedBecause[objection[0]] };
  const { identifier, provisioner = "", secretRef, releasePolicy } = written;
  if (secretRef !== undefined) return { is: "Static", secretRef, releasePolicy: "Retain" };
  if (identifier === undefined) return { is: "Greenfield", provisioner, releasePolicy };
  return { is: "Brownfield", provisioner, bucketIdentifier: identifier, releasePolicy: "Retain" };
}

function writtenIn({
  bucketIdentifier,
  objectBucketName,
  provisioner,
  secretRef,
  releasePolicy,
}: BucketClass): Written {
  const alias = filled(objectBucketName);
  return {
    identifier: filled(bucketIdentifier) ?? alias,
    alias,
    provisioner: filled(provisioner),
    secretRef,
    releasePolicy: releasePolicy ?? "Retain",
  };
}

function wasThereBefore({ identifier, secretRef }: Written): boolean {
  return identifier !== undefined || secretRef !== undefined;
}

function filled(field: string | undefined): string | undefined {
  return field === "" ? undefined : field;
}
