import { equal } from "node:assert/strict";
import { after, test } from "node:test";
import { adminClient, clientOf } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { testHolding } from "./holding.ts";

const cluster = await laneCluster();
const variant = await installPortway(cluster);
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

test("a server with MutatingAdmissionPolicy gets the policy, and no webhook", async () => {
  equal(variant, "policy");
  equal(await cluster.kubectl(["get", "mutatingwebhookconfigurations", "-o", "name"]), "");
});

testHolding({ cluster, admin, portway });
