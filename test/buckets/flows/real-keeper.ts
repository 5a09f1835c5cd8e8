import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { versitygw } from "../../../src/buckets/driver/store/versitygw.ts";
import { type Daemon, daemon } from "../../fixture/daemon.ts";
import type { Scope } from "../../fixture/portway.ts";
import { type Keys, s3With, statusOf } from "../keys.ts";
import { startStore, type TestStore, usersOf } from "../store.ts";
import { bytes, type Keeper, scopeOf } from "./keeper.ts";

/** Hasty: what a store does not answer by then is asked again. */
const storeTimeout = "1s";

/** The driver that ships, on a versitygw of its own. */
export async function realKeeper(name: string, undo: AsyncDisposableStack, socket: string): Promise<Keeper> {
  const scope = scopeOf(undo);
  const store = await startStore(scope);
  const [driver, mistaken] = driversOf(scope, store, [
    "s3-driver",
    `--endpoint=${socket}`,
    `--driver-name=${name}`,
    `--store-endpoint=${store.url}`,
    `--store-timeout=${storeTimeout}`,
  ]);
  await driver.start();
  const { url: endpoint, region } = store;
  const keys = { accessKeyID: store.root.access, accessSecretKey: store.root.secret };
  const administrator = s3With(
    { after: (end) => undo.defer(async () => end()) },
    { endpoint, region, bucketName: "", ...keys },
  );
  const place = { url: new URL(endpoint), adminUrl: new URL(endpoint), region, keys, timeoutSeconds: 30 };
  return {
    name,
    socket,
    real: { store, driver, mistaken },
    async held() {
      const { Buckets = [] } = await administrator.send(new ListBucketsCommand());
      return {
        buckets: await Promise.all(Buckets.map(({ Name = "" }) => lookInto(administrator, Name))),
        accounts: [...(await usersOf(store))],
      };
    },
    async opens(keys) {
      const object = { Bucket: keys.bucketName, Key: bytes.key };
      const status = await asTenant(keys, (s3) => statusOf(s3.send(new GetObjectCommand(object))));
      if (![200, 403, 404].includes(status)) throw new Error(`the store answers ${status}`);
      // Let in, and nothing is there.
      return status !== 403;
    },
    async put(keys) {
      const object = { Bucket: keys.bucketName, Key: bytes.key, Body: bytes.text };
      await asTenant(keys, (s3) => s3.send(new PutObjectCommand(object)));
    },
    async makeBucket(Bucket) {
      await administrator.send(new CreateBucketCommand({ Bucket }));
      await administrator.send(new PutObjectCommand({ Bucket, Key: bytes.key, Body: bytes.text }));
      return Bucket;
    },
    async removeBucket(bucket) {
      const root = versitygw(place);
      await root.emptyBucket(bucket, new AbortController().signal);
      await root.deleteBucket(bucket);
    },
  };
}

function driversOf(scope: Scope, { root }: TestStore, args: readonly string[]): readonly [Daemon, Daemon] {
  const masterKey = randomBytes(32).toString("hex");
  const driver = (secret: string) =>
    daemon(scope, {
      what: "the driver",
      args,
      env: {
        PORTWAY_S3_ROOT_ACCESS_KEY: root.access,
        PORTWAY_S3_ROOT_SECRET_KEY: secret,
        PORTWAY_S3_MASTER_KEY: masterKey,
      },
      atWork: '"listening"',
    });
  return [driver(root.secret), driver("not what the store knows")];
}

async function asTenant<T>(keys: Keys, act: (s3: S3Client) => Promise<T>): Promise<T> {
  const s3 = s3With({ after: () => undefined }, keys);
  try {
    return await act(s3);
  } finally {
    s3.destroy();
  }
}

async function lookInto(administrator: S3Client, Bucket: string) {
  const { KeyCount = 0 } = await administrator.send(new ListObjectsV2Command({ Bucket }));
  return { name: Bucket, objects: KeyCount };
}
