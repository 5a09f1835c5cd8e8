import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { BucketDriver } from "./gen/buckets_pb.js";
import { Identity, Provisioner } from "./gen/cosi_pb.js";
import { Controller, CreateVolumeRequestSchema } from "./gen/csi_pb.js";
import { definitionOf, pathOf } from "./grpc.ts";

test("paths are those that drivers listen to", () => {
  equal(pathOf(Controller.method.createVolume), "/csi.v1.Controller/CreateVolume");
  equal(pathOf(Identity.method.driverGetInfo), "/cosi.v1alpha1.Identity/DriverGetInfo");
  deepEqual(Provisioner.methods.map(pathOf), [
    "/cosi.v1alpha1.Provisioner/DriverCreateBucket",
    "/cosi.v1alpha1.Provisioner/DriverDeleteBucket",
    "/cosi.v1alpha1.Provisioner/DriverGrantBucketAccess",
    "/cosi.v1alpha1.Provisioner/DriverRevokeBucketAccess",
  ]);
});

test("the five calls of the seed are our own wire", () => {
  deepEqual(
    BucketDriver.methods.map(({ name }) => name),
    ["GetDriverInfo", "CreateBucket", "DeleteBucket", "GrantBucketAccess", "RevokeBucketAccess"],
  );
});

test("a request goes over the wire by the numbers of the specification", () => {
  const { requestSerialize, requestDeserialize } = definitionOf(Controller)["createVolume"] ?? {};
  const request = create(CreateVolumeRequestSchema, { name: "a", mutableParameters: { k: "v" } });
  const bytes = requestSerialize?.(request);
  equal(bytes?.toString("hex"), "0a016142060a016b120176", "name is field 1, mutable_parameters field 8");
  deepEqual(requestDeserialize?.(bytes ?? Buffer.of()), request);
});
