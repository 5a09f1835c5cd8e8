import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { create, type DescMessage, getOption } from "@bufbuild/protobuf";
import {
  CreateBucketResponseSchema as Created,
  file_buckets,
  GrantBucketAccessResponseSchema as Granted,
  RevokeBucketAccessRequestSchema,
} from "./gen/buckets_pb.js";
import { DriverGrantBucketAccessResponseSchema as UpstreamGranted } from "./gen/cosi_pb.js";
import {
  CreateSnapshotResponseSchema,
  CreateVolumeRequestSchema as CreateVolume,
  csi_secret,
  file_csi,
  VolumeCapability_AccessMode_Mode as Mode,
} from "./gen/csi_pb.js";
import { loggable, secretsIn, stripped, withoutSecrets } from "./redact.ts";

const request = create(CreateVolume, {
  name: "pvc-1",
  capacityRange: { requiredBytes: 2n ** 53n + 1n },
  volumeCapabilities: [
    { accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: { mountFlags: ["ro"] } } },
  ],
  parameters: { tier: "gold" },
  secrets: { password: "s3cret", user: "admin" },
  volumeContentSource: { type: { case: "snapshot", value: { snapshotId: "snap-1" } } },
});

test("a request is logged whole, but for its secrets", () => {
  deepEqual(loggable(CreateVolume, request), {
    name: "pvc-1",
    capacityRange: { requiredBytes: "9007199254740993" },
    volumeCapabilities: [{ accessMode: { mode: "SINGLE_NODE_WRITER" }, mount: { mountFlags: ["ro"] } }],
    parameters: { tier: "gold" },
    secrets: stripped,
    volumeContentSource: { snapshot: { snapshotId: "snap-1" } },
  });
});

test("credentials in answers of both kinds of bucket drivers are secrets", () => {
  const credentials = { accessSecretKey: "s3cret" };
  const own = create(Granted, { accountId: "a", credentials });
  deepEqual(loggable(Granted, own), { accountId: "a", credentials: stripped });
  const created = create(Created, { bucketId: "b", accountId: "a", credentials });
  deepEqual(loggable(Created, created), { bucketId: "b", accountId: "a", credentials: stripped });
  const upstream = create(UpstreamGranted, { accountId: "a", credentials: { s3: { secrets: credentials } } });
  deepEqual(loggable(UpstreamGranted, upstream), { accountId: "a", credentials: { s3: { secrets: stripped } } });
  deepEqual(secretsIn(UpstreamGranted, upstream), ["s3cret"]);
});

test("every field that is called secrets, in every request of CSI, is marked", () => {
  const messages = file_csi.messages.filter(({ fields }) => fields.some(({ name }) => name === "secrets"));
  ok(messages.length >= 10, `${messages.length} messages have secrets`);
  for (const { fields, typeName } of messages)
    for (const field of fields)
      equal(getOption(field, csi_secret), field.name === "secrets", `${typeName}.${field.name}`);
});

test("what a driver quotes of the secrets it was sent is taken out, the longest first", () => {
  const secrets = secretsIn(CreateVolume, request);
  deepEqual([...secrets].sort(), ["admin", "s3cret"]);
  equal(withoutSecrets("login admin/s3cret failed", secrets), `login ${stripped}/${stripped} failed`);
  equal(withoutSecrets("key1234", ["key", "key1234", ""]), stripped);
});

test("odd messages are logged too: no text is endless, and a time out of all bounds is only a number", () => {
  const snapshot = { snapshotId: "x".repeat(5000), creationTime: { seconds: 2n ** 62n } };
  const logged = loggable(CreateSnapshotResponseSchema, create(CreateSnapshotResponseSchema, { snapshot }));
  const { snapshot: said } = logged as { snapshot: { snapshotId: string; creationTime: { seconds: string } } };
  ok(said.snapshotId.endsWith("… (5000 characters)"));
  equal(said.creationTime.seconds, "4611686018427387904");
});

test("an empty message is an empty object", () => {
  deepEqual(loggable(RevokeBucketAccessRequestSchema, create(RevokeBucketAccessRequestSchema)), {});
});

test("every message of every proto file can be logged", () => {
  const all: readonly DescMessage[] = [...file_csi.messages, ...file_buckets.messages];
  for (const schema of all) deepEqual(loggable(schema, create(schema)), {}, schema.typeName);
});
