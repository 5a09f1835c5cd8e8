export type Mode = "ro" | "wo" | "rw";

/** A statement as a bucket's policy has it. Those of others are kept as they are. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Action: unknown;
  readonly Resource: unknown;
}

export interface PolicyDocument {
  readonly Version?: string;
  readonly Statement: readonly Statement[];
}

const readActions = ["s3:GetObject", "s3:GetObjectVersion", "s3:GetObjectAttributes", "s3:GetObjectTagging"];
const listActions = ["s3:ListBucket", "s3:ListBucketVersions", "s3:GetBucketLocation"];
const uploadActions = ["s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"];
const changeActions = [
  "s3:DeleteObject",
  "s3:DeleteObjectVersion",
  "s3:PutObjectTagging",
  "s3:DeleteObjectTagging",
  "s3:ListBucketMultipartUploads",
];

/** Nobody may change the policy itself, or what the bucket is. Whoever may only write cannot look what is there. */
const actions: Readonly<Record<Mode, readonly string[]>> = {
  ro: [...readActions, ...listActions],
  wo: [...uploadActions, "s3:DeleteObject", "s3:GetBucketLocation"],
  rw: [...readActions, ...listActions, ...uploadActions, ...changeActions],
};

/** Ours are known by these names: one statement a mode, so that a policy stays small when many share a bucket. */
const sids: Readonly<Record<Mode, string>> = {
  ro: "PortwayReadOnly",
  wo: "PortwayWriteOnly",
  rw: "PortwayReadWrite",
};
const modes: readonly Mode[] = ["ro", "wo", "rw"];

/** Which access it has by us, if any. */
export function modeOf(policy: PolicyDocument | undefined, principal: string): Mode | undefined {
  return modes.find((mode) => principalsIn(policy, mode).includes(principal));
}

export function withPrincipal(
  policy: PolicyDocument | undefined,
  bucket: string,
  principal: string,
  mode: Mode,
): PolicyDocument | undefined {
  const others = withoutPrincipal(policy, bucket, principal);
  return withOurs(others, bucket, mode, [...principalsIn(others, mode), principal]);
}

/** Undefined when nothing is left to say. */
export function withoutPrincipal(
  policy: PolicyDocument | undefined,
  bucket: string,
  principal: string,
): PolicyDocument | undefined {
  return keepingPrincipals(policy, bucket, (one) => one !== principal);
}

/** Only in the statements that are ours. */
export function keepingPrincipals(
  policy: PolicyDocument | undefined,
  bucket: string,
  keeps: (principal: string) => boolean,
): PolicyDocument | undefined {
  return modes.reduce((rest, mode) => withOurs(rest, bucket, mode, principalsIn(rest, mode).filter(keeps)), policy);
}

function withOurs(
  policy: PolicyDocument | undefined,
  bucket: string,
  mode: Mode,
  principals: readonly string[],
): PolicyDocument | undefined {
  const others = (policy?.Statement ?? []).filter(({ Sid }) => Sid !== sids[mode]);
  const ours: Statement = {
    Sid: sids[mode],
    Effect: "Allow",
    Principal: { AWS: principals.toSorted() },
    Action: actions[mode],
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  };
  const statements = principals.length === 0 ? others : [...others, ours];
  if (statements.length === 0) return undefined;
  return { Version: policy?.Version ?? "2012-10-17", ...policy, Statement: statements };
}

function principalsIn(policy: PolicyDocument | undefined, mode: Mode): readonly string[] {
  const ours = policy?.Statement.find(({ Sid }) => Sid === sids[mode]);
  const { AWS: named } = (ours?.Principal ?? {}) as { readonly AWS?: string | readonly string[] };
  return typeof named === "string" ? [named] : (named ?? []);
}
