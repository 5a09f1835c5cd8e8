import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  ControllerGetCapabilitiesResponseSchema,
  ControllerServiceCapability_RPC_Type,
  GetPluginCapabilitiesResponseSchema,
  GetPluginInfoResponseSchema,
  PluginCapability_Service_Type,
  PluginCapability_VolumeExpansion_Type,
} from "../rpc/gen/csi_pb.js";
import { factsOf, supportsTopology } from "./driver-facts.ts";

const info = (name: string, vendorVersion = "") => create(GetPluginInfoResponseSchema, { name, vendorVersion });
const services = (...types: readonly number[]) =>
  create(GetPluginCapabilitiesResponseSchema, {
    capabilities: types.map((type) => ({ type: { case: "service" as const, value: { type } } })),
  });
const rpcs = (...types: readonly number[]) =>
  create(ControllerGetCapabilitiesResponseSchema, {
    capabilities: types.map((type) => ({ type: { case: "rpc" as const, value: { type } } })),
  });

test("what the driver says is kept by name", () => {
  const { CLONE_VOLUME, CREATE_DELETE_VOLUME } = ControllerServiceCapability_RPC_Type;
  const { CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS } = PluginCapability_Service_Type;
  const facts = factsOf(
    info("one.example.com", "1.2"),
    services(CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS),
    rpcs(CLONE_VOLUME, CREATE_DELETE_VOLUME),
  );
  deepEqual(facts, {
    name: "one.example.com",
    vendorVersion: "1.2",
    capabilities: new Set(["CREATE_DELETE_VOLUME", "CLONE_VOLUME"]),
    plugin: new Set(["CONTROLLER_SERVICE", "VOLUME_ACCESSIBILITY_CONSTRAINTS"]),
  });
  deepEqual(supportsTopology(facts), true);
});

test("what nobody here has heard of is no capability, and neither is a nameless one", () => {
  const { CONTROLLER_SERVICE, UNKNOWN } = PluginCapability_Service_Type;
  const plugin = create(GetPluginCapabilitiesResponseSchema, {
    capabilities: [
      ...services(CONTROLLER_SERVICE, UNKNOWN).capabilities,
      { type: { case: "volumeExpansion", value: { type: PluginCapability_VolumeExpansion_Type.OFFLINE } } },
      {},
    ],
  });
  const facts = factsOf(info("one.example.com"), plugin, rpcs(99, 0));
  deepEqual(facts, { name: "one.example.com", capabilities: new Set(), plugin: new Set(["CONTROLLER_SERVICE"]) });
  deepEqual(supportsTopology(facts), false);
});

test("a driver without a name cannot be worked for", () => {
  throws(() => factsOf(info(""), services(), rpcs()), /does not say its name/);
});
