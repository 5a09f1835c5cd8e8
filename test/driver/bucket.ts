import { AccessMode, BucketDriver, Capability } from "../../src/rpc/gen/buckets_pb.js";
import { Identity, Provisioner } from "../../src/rpc/gen/cosi_pb.js";
import type { Answers } from "../../src/rpc/grpc.ts";
import { type Backend, backendIn } from "./bucket-backend.ts";
import type { Mode, StoredBucket } from "./bucket-inventory.ts";
import { Refusal } from "./refusal.ts";
import { type DriverPlace, type RunningDriver, serve, served } from "./serve.ts";

export type Wire = "native" | "upstream";

export interface BucketSettings {
  readonly name: string;
  /** What the driver speaks: our own proto, upstream's cosi.v1alpha1, or both. */
  readonly wires: readonly Wire[];
  /** What GetDriverInfo says. What is not among it is refused. */
  readonly capabilities: readonly Capability[];
}

export const defaultBucketSettings: BucketSettings = {
  name: "scripted.cosi.portway.dev",
  wires: ["native", "upstream"],
  capabilities: [Capability.ACCESS_MODES, Capability.QUOTA, Capability.PURGE],
};

/** A bucket driver with real directories and keys, that does what its script says and remembers everything. */
export async function startBucketDriver(
  place: DriverPlace,
  settings: Partial<BucketSettings> = {},
): Promise<RunningDriver> {
  const all = { ...defaultBucketSettings, ...settings };
  const backend = backendIn(place.state);
  return await serve(place, [
    ...(all.wires.includes("native") ? [served(BucketDriver, nativeAnswers(all, backend))] : []),
    ...(all.wires.includes("upstream")
      ? [served(Identity, { driverGetInfo: () => ({ name: all.name }) }), served(Provisioner, upstreamAnswers(backend))]
      : []),
  ]);
}

function nativeAnswers({ name, capabilities }: BucketSettings, backend: Backend): Answers<typeof BucketDriver> {
  const needs = (capability: Capability, isAsked: boolean) => {
    if (isAsked && !capabilities.includes(capability))
      throw new Refusal("INVALID_ARGUMENT", `this driver has no ${Capability[capability]}`);
  };
  return {
    getDriverInfo: () => ({ name, version: "1", protocols: ["s3"], capabilities: [...capabilities] }),
    createBucket({ name, parameters, quota }) {
      needs(Capability.QUOTA, quota !== undefined);
      const { maxBytes = 0n, maxObjects = 0n } = quota ?? {};
      const bucket = backend.createBucket({ name, parameters, maxBytes, maxObjects });
      return { bucketId: bucket.id, endpoint: endpointOf(bucket) };
    },
    deleteBucket({ bucketId, purge }) {
      needs(Capability.PURGE, purge);
      backend.deleteBucket(bucketId, purge);
      return {};
    },
    grantBucketAccess({ bucketId, accountName, accessMode, parameters }) {
      const mode = modes[accessMode];
      needs(Capability.ACCESS_MODES, mode !== "rw");
      const { account, bucket } = backend.grant({ bucket: bucketId, name: accountName, mode, parameters });
      const { accessKeyID, accessSecretKey } = account;
      return { accountId: account.id, endpoint: endpointOf(bucket), credentials: { accessKeyID, accessSecretKey } };
    },
    revokeBucketAccess({ bucketId, accountId, accountName }) {
      backend.revoke(bucketId, { id: accountId, name: accountName });
      return {};
    },
  };
}

const modes: Readonly<Record<AccessMode, Mode>> = {
  [AccessMode.UNSPECIFIED]: "rw",
  [AccessMode.READ_WRITE]: "rw",
  [AccessMode.READ_ONLY]: "ro",
  [AccessMode.WRITE_ONLY]: "wo",
};

const place = { url: "http://127.0.0.1:1", region: "local" } as const;

function endpointOf({ name }: StoredBucket) {
  return { ...place, protocol: "s3", bucketName: name, pathStyle: true };
}

function upstreamAnswers(backend: Backend): Answers<typeof Provisioner> {
  return {
    driverCreateBucket({ name, parameters }) {
      const { id } = backend.createBucket({ name, parameters });
      return { bucketId: id, bucketInfo: { type: { case: "s3", value: { region: place.region } } } };
    },
    driverDeleteBucket({ bucketId }) {
      backend.deleteBucket(bucketId, true);
      return {};
    },
    driverGrantBucketAccess({ bucketId, name, parameters }) {
      const { account } = backend.grant({ bucket: bucketId, name, mode: "rw", parameters });
      const { id, accessKeyID, accessSecretKey } = account;
      const secrets = { accessKeyID, accessSecretKey, endpoint: place.url, region: place.region };
      return { accountId: id, credentials: { s3: { secrets } } };
    },
    driverRevokeBucketAccess({ bucketId, accountId }) {
      backend.revoke(bucketId, { id: accountId, name: "" });
      return {};
    },
  };
}
