import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import { adminClient, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { behindProxy } from "./behind-proxy.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

async function world(t: TestContext) {
  const namespace = await newNamespace(t, admin);
  const { proxy, client } = await behindProxy(t, cluster);
  return {
    proxy,
    write: (name: string) => client.create(configMaps, { metadata: { namespace, name } }, { timeoutSeconds: 1.5 }),
    isStored: async (name: string) => (await admin.find(configMaps, { namespace, name })) !== undefined,
  };
}

for (const [kind, kills] of [
  ["late-after-kill", 1],
  ["late-after-timeout", 0],
] as const) {
  test(`${kind}: the client has given it up, and it is stored when the plan says so`, async (t) => {
    const { proxy, write, isStored } = await world(t);
    const { promise: isDue, resolve: arrive } = Promise.withResolvers<void>();
    let killed = 0;
    const armed = proxy.arm({ site: { n: 1 }, fault: { kind }, kill: () => void killed++, until: () => isDue });
    const error = await refusalOf(write("late"));
    deepEqual([error.code, error.trouble, killed], [0, "in-doubt", kills]);
    await write("next");
    deepEqual([await isStored("late"), await isStored("next")], [false, true], "what follows overtakes it");
    arrive();
    const { n, code, told, delivered } = await armed.whenFired;
    deepEqual([n, code, told, delivered], [1, 201, undefined, false]);
    ok(await isStored("late"));
  });
}

test("nothing is quiet while a write is still to arrive", async (t) => {
  const { proxy, write } = await world(t);
  const { promise: isDue, resolve: arrive } = Promise.withResolvers<void>();
  const fault = { kind: "late-after-kill" } as const;
  const armed = proxy.arm({ site: { n: 1 }, fault, kill: () => undefined, until: () => isDue });
  await refusalOf(write("late"));
  let isQuiet = false;
  const quiet = proxy.quiet(10).then(() => void (isQuiet = true));
  await write("next");
  equal(isQuiet, false);
  arrive();
  await armed.whenFired;
  await until("it is quiet", () => isQuiet);
  await quiet;
});

test("a plan that would never let it arrive is refused", async (t) => {
  const { proxy } = await world(t);
  throws(() => proxy.arm({ site: { n: 1 }, fault: { kind: "late-after-timeout" } }), /needs an until/);
});
