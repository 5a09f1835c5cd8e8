import type { TestContext } from "node:test";
import type { S3Client } from "@aws-sdk/client-s3";
import { s3Driver } from "../../src/buckets/driver/s3/driver.ts";
import type { BucketDriverParts } from "../../src/buckets/driver/sdk/driver.ts";
import { type Handled, type ServedDriver, serveDriver } from "../../src/buckets/driver/sdk/serve.ts";
import { type VersitygwPlace, versitygw } from "../../src/buckets/driver/store/versitygw.ts";
import { AccessMode, BucketDriver, type Endpoint } from "../../src/rpc/gen/buckets_pb.js";
import type { Calls } from "../../src/rpc/grpc.ts";
import { connected } from "../driver/place.ts";
import { freshCache } from "../fixture/portway.ts";
import { type Keys, s3With } from "./keys.ts";
import { type StoreSettings, startStore, type TestStore } from "./store.ts";

/** Our S3 driver on a real store, and the client that ships. */
export interface DriverGround {
  readonly store: TestStore;
  readonly buckets: Calls<typeof BucketDriver>;
  readonly socket: string;
  /** What the driver would write into its log. */
  readonly told: readonly Handled[];
  /** The store's administrator, by the official client. */
  readonly root: S3Client;
  /** The same, as the driver asks the store. */
  readonly place: VersitygwPlace;
  /** Ends the driver and serves it anew, with nothing but its settings. */
  restart(): Promise<void>;
}

export interface GroundSettings extends StoreSettings {
  readonly masterKey: string;
  readonly storeTimeoutSeconds: number;
  readonly rootSecret: string;
  /** A driver that is wrong in one way. */
  readonly lies: (honest: BucketDriverParts) => Partial<BucketDriverParts>;
}

const masterKey = "a master key for nothing but tests";

export async function driverGround(t: TestContext, settings: Partial<GroundSettings> = {}): Promise<DriverGround> {
  const store = await startStore(t, settings);
  const socket = `unix://${await freshCache(t)}/cosi.sock`;
  const place = placeOf(store, settings);
  const told: Handled[] = [];
  const serve = async () => {
    const parts = partsOn(place, settings);
    const secrets = [settings.masterKey ?? masterKey, settings.rootSecret ?? store.root.secret];
    return await serveDriver({ ...parts, endpoint: socket, secrets, log: (one) => void told.push(one) });
  };
  let served: ServedDriver = await serve();
  t.after(async () => await served.stop(0));
  const root = s3With(t, {
    endpoint: store.url,
    region: store.region,
    bucketName: "",
    accessKeyID: store.root.access,
    accessSecretKey: store.root.secret,
  });
  return {
    store,
    socket,
    told,
    root,
    place,
    buckets: connected(t, { socket }).calls(BucketDriver),
    async restart() {
      await served.stop();
      served = await serve();
    },
  };
}

function placeOf({ url, region, root }: TestStore, settings: Partial<GroundSettings>): VersitygwPlace {
  return {
    url: new URL(url),
    adminUrl: new URL(url),
    region,
    keys: { accessKeyID: root.access, accessSecretKey: settings.rootSecret ?? root.secret },
    timeoutSeconds: settings.storeTimeoutSeconds ?? 30,
  };
}

function partsOn(place: VersitygwPlace, settings: Partial<GroundSettings>): BucketDriverParts {
  const honest = s3Driver(
    {
      name: "s3.test.portway.dev",
      version: "1",
      masterKey: new TextEncoder().encode(settings.masterKey ?? masterKey),
      publicUrl: place.url.origin,
      region: place.region,
    },
    versitygw(place),
  );
  return { ...honest, ...settings.lies?.(honest) };
}

/** What a tenant gets: an answer of a grant, or of a create with an account. */
interface Answer {
  readonly endpoint?: Endpoint | undefined;
  readonly credentials: Readonly<Record<string, string>>;
}

export function keysIn({ endpoint, credentials }: Answer): Keys {
  const { url = "", region = "", bucketName = "" } = endpoint ?? {};
  const { accessKeyID = "", accessSecretKey = "" } = credentials;
  return { endpoint: url, region, bucketName, accessKeyID, accessSecretKey };
}

export const modes = {
  ro: AccessMode.READ_ONLY,
  wo: AccessMode.WRITE_ONLY,
  rw: AccessMode.READ_WRITE,
} as const;
export type Mode = keyof typeof modes;

export interface Tenant {
  readonly keys: Keys;
  readonly accountId: string;
  readonly s3: S3Client;
}

/** An account on a bucket, and the official client with its keys. */
export async function tenantOf(
  t: TestContext,
  { buckets }: DriverGround,
  bucketId: string,
  accountName: string,
  mode: Mode = "rw",
): Promise<Tenant> {
  const granted = await buckets.grantBucketAccess({ bucketId, accountName, accessMode: modes[mode] });
  const keys = keysIn(granted);
  return { keys, accountId: granted.accountId, s3: s3With(t, keys) };
}
