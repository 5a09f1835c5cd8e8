import { deepEqual, equal, match } from "node:assert/strict";
import { after, test } from "node:test";
import { type ConfigMap, configMaps, persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { newClaim } from "../fixture/binding.ts";
import { adminClient, blamedFields, clientOf, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
const other = await clientOf(cluster.kubeconfigOf("admin"), { component: "portway-other" });
after(async () => {
  await admin.close();
  await other.close();
});

function note(namespace: string, data: Readonly<Record<string, string>>): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "note" }, data };
}

interface Managed {
  readonly managedFields: readonly {
    readonly manager: string;
    readonly operation: string;
    readonly subresource?: string;
    readonly fieldsV1: Readonly<Record<string, object>>;
  }[];
}

/** Which members of `data` each manager has applied. */
function owners({ metadata }: Stored<ConfigMap>): Readonly<Record<string, readonly string[]>> {
  const { managedFields } = metadata as unknown as Managed;
  return Object.fromEntries(
    managedFields.map(({ manager, fieldsV1 }) => [manager, Object.keys(fieldsV1["f:data"] ?? {}).sort()]),
  );
}

test("an applied field is recorded as its manager's", async (t) => {
  const namespace = await newNamespace(t, admin);
  await admin.apply(configMaps, note(namespace, { mine: "1" }));
  const both = await other.apply(configMaps, note(namespace, { theirs: "2" }));
  deepEqual(both.data, { mine: "1", theirs: "2" });
  deepEqual(owners(both), { "portway-test": ["f:mine"], "portway-other": ["f:theirs"] });
});

test("a manager that applies no more of a field takes it away, and no field of others", async (t) => {
  const namespace = await newNamespace(t, admin);
  await admin.apply(configMaps, note(namespace, { mine: "1", old: "1" }));
  await other.apply(configMaps, note(namespace, { theirs: "2" }));
  deepEqual((await admin.apply(configMaps, note(namespace, { mine: "1" }))).data, { mine: "1", theirs: "2" });
});

test("an apply over another's field is refused with 409 and names the other manager", async (t) => {
  const namespace = await newNamespace(t, admin);
  await admin.apply(configMaps, note(namespace, { text: "mine" }));
  const refusal = await refusalOf(other.apply(configMaps, note(namespace, { text: "theirs" })));
  deepEqual([refusal.code, refusal.reason, blamedFields(refusal)], [409, "Conflict", [".data.text"]]);
  match(refusal.message, /conflict with "portway-test": \.data\.text/);
  equal(refusal.trouble, "refused", "looking again would find the same manager, for ever");
});

test("a forced apply takes the field over", async (t) => {
  const namespace = await newNamespace(t, admin);
  await admin.apply(configMaps, note(namespace, { text: "mine" }));
  const taken = await other.apply(configMaps, note(namespace, { text: "theirs" }), { force: true });
  deepEqual([taken.data, owners(taken)["portway-other"]], [{ text: "theirs" }, ["f:text"]]);
});

test("conditions of a claim applied by two managers stand side by side", async (t) => {
  const namespace = await newNamespace(t, admin);
  const { name } = (await newClaim(admin, { namespace, className: "" })).metadata;
  const claimWith = (type: string) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name },
    status: { conditions: [{ type, status: "True" }] },
  });
  await admin.apply(persistentVolumeClaims, claimWith("portway.dev/One"), { subresource: "status" });
  const two = await other.apply(persistentVolumeClaims, claimWith("portway.dev/Two"), { subresource: "status" });
  deepEqual(two.status?.conditions?.map(({ type }) => type).sort(), ["portway.dev/One", "portway.dev/Two"]);
});
