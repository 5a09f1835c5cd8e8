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
  /** A driver that is wrong in one way. */
  readonly lies: (honest: NativeAnswers) => Partial<NativeAnswers>;
}

export type NativeAnswers = Answers<typeof BucketDriver>;

export const defaultBucketSettings: BucketSettings = {
  name: "scripted.cosi.portway.dev",
  wires: ["native", "upstream"],
  capabilities: [Capability.ACCESS_MODES, Capability.QUOTA, Capability.PURGE],
  lies: () => ({}),
};

/** A bucket driver with real directories and keys, that does what its script says and remembers everything. */
export async function startBucketDriver(
  place: DriverPlace,
  settings: Partial<BucketSettings> = {},
): Promise<RunningDriver> {
  const all = { ...defaultBucketSettings, ...settings };
  const backend = backendIn(place.state);
  const honest = nativeAnswers(all, backend);
  // What takes back must not be overtaken by what was given up.
  const services = [
    ...(all.wires.includes("native") ? [served(BucketDriver, { ...honest, ...all.lies(honest) })] : []),
    ...(all.wires.includes("upstream")
      ? [served(Identity, { driverGetInfo: () => ({ name: all.name }) }), served(Provisioner, upstreamAnswers(backend))]
      : []),
  ];
  return await serve(place, services, { inTurn: true });
}

function nativeAnswers({ name, capabilities }: BucketSettings, backend: Backend): NativeAnswers {
  const needs = (capability: Capability, isAsked: boolean) => {
    if (isAsked && !capabilities.includes(capability))
      throw new Refusal("INVALID_ARGUMENT", `this driver has no ${Capability[capability]}`);
  };
  const grant = (bucket: string, accountName: string, { accessMode, parameters }: AskedAccess) => {
    const granted = backend.grant({ bucket, name: accountName, mode: modes[accessMode], parameters });
    const { id, accessKeyID, accessSecretKey } = granted.account;
    return {
      accountId: id,
      endpoint: endpointOf(granted.bucket),
      credentials: { accessKeyID, accessSecretKey },
    };
  };
  return {
    getDriverInfo: () => ({ name, version: "1", protocols: ["s3"], capabilities: [...capabilities] }),
    createBucket({ name, parameters, quota, accountName, accessMode }) {
      needs(Capability.QUOTA, quota !== undefined);
      needs(Capability.GRANTS_ON_CREATE, accountName !== "");
      needs(Capability.ACCESS_MODES, modes[accessMode] !== "rw");
      const { maxBytes = 0n, maxObjects = 0n } = quota ?? {};
      const bucket = backend.createBucket({ name, parameters, maxBytes, maxObjects });
      const granted = accountName === "" ? {} : grant(bucket.id, accountName, { accessMode, parameters });
      return { bucketId: bucket.id, endpoint: endpointOf(bucket), ...granted };
    },
    deleteBucket({ bucketId, name, purge }) {
      needs(Capability.PURGE, purge);
      backend.deleteBucket({ id: bucketId, name }, purge);
      return {};
    },
    grantBucketAccess({ bucketId, accountName, ...asked }) {
      needs(Capability.ACCESS_MODES, modes[asked.accessMode] !== "rw");
      return grant(bucketId, accountName, asked);
    },
    revokeBucketAccess({ bucketId, bucketName, accountId, accountName }) {
      backend.revoke({ id: bucketId, name: bucketName }, { id: accountId, name: accountName });
      return {};
    },
  };
}

interface AskedAccess {
  readonly accessMode: AccessMode;
  readonly parameters: Readonly<Record<string, string>>;
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
      backend.deleteBucket({ id: bucketId, name: "" }, true);
      return {};
    },
    driverGrantBucketAccess({ bucketId, name, parameters }) {
      const { account } = backend.grant({ bucket: bucketId, name, mode: "rw", parameters });
      const { id, accessKeyID, accessSecretKey } = account;
      const secrets = { accessKeyID, accessSecretKey, endpoint: place.url, region: place.region };
      return { accountId: id, credentials: { s3: { secrets } } };
    },
    driverRevokeBucketAccess({ bucketId, accountId }) {
      backend.revoke({ id: bucketId, name: "" }, { id: accountId, name: "" });
      return {};
    },
  };
}
