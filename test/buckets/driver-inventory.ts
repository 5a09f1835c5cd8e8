import type { TestContext } from "node:test";
import { CreateBucketCommand, GetBucketPolicyCommand, ListBucketsCommand, type S3Client } from "@aws-sdk/client-s3";
import { ask } from "../../src/buckets/driver/s3/request.ts";
import type { DriverGround } from "./driver-ground.ts";
import { s3With } from "./keys.ts";
import { usersOf } from "./store.ts";

/** The code of S3 for a request that must not work; empty when it did. */
export async function codeOf(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => "",
    ({ name }: Error) => name,
  );
}

export async function namesIn({ root }: DriverGround): Promise<readonly (string | undefined)[]> {
  const { Buckets = [] } = await root.send(new ListBucketsCommand());
  return Buckets.map(({ Name }) => Name);
}

export interface Statement {
  readonly Sid?: string;
  readonly Principal: { readonly AWS: readonly string[] };
}

export async function statementsOf({ root }: DriverGround, Bucket: string): Promise<readonly Statement[]> {
  const policy = await root.send(new GetBucketPolicyCommand({ Bucket })).catch(() => undefined);
  return (JSON.parse(policy?.Policy ?? '{"Statement":[]}') as { Statement: readonly Statement[] }).Statement;
}

/** Another owner's, with the owner's own keys. */
export async function strangersBucket(
  t: TestContext,
  { place, store }: DriverGround,
  Bucket: string,
): Promise<S3Client> {
  const body = "<Account><Access>STRANGER</Access><Secret>of-a-stranger</Secret><Role>userplus</Role></Account>";
  await ask(place, { what: "make a stranger", method: "PATCH", path: "create-user", body });
  const keys = { endpoint: store.url, region: store.region, bucketName: Bucket };
  const s3 = s3With(t, { ...keys, accessKeyID: "STRANGER", accessSecretKey: "of-a-stranger" });
  await s3.send(new CreateBucketCommand({ Bucket }));
  return s3;
}

/** Buckets, users and the policy of the bucket that the tests are about. */
export async function inventoryOf(ground: DriverGround) {
  const users = [...(await usersOf(ground.store))].toSorted();
  return { buckets: await namesIn(ground), users, policy: await statementsOf(ground, "photos") };
}
