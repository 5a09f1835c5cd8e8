import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { leases } from "../../src/api/gen/coordination.ts";
import { type ConfigMap, configMaps, events } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import type { ApiError } from "../../src/kube/errors.ts";
import { adminClient, newNamespace, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { expectNothingLeft } from "../fixture/transport.ts";
import { type BehindProxy, behindProxy } from "./behind-proxy.ts";
import type { Fault, RefusalCode } from "./proxy/faults.ts";
import type { WriteRecord } from "./proxy/write-record.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());
expectNothingLeft();

interface World extends BehindProxy {
  readonly namespace: string;
  /** Creates a note of this name through the proxy. */
  readonly write: (name: string, timeoutSeconds?: number) => Promise<Stored<ConfigMap>>;
  readonly isStored: (name: string) => Promise<boolean>;
}

async function world(t: TestContext): Promise<World> {
  const namespace = await newNamespace(t, admin);
  const behind = await behindProxy(t, cluster);
  return {
    ...behind,
    namespace,
    write: (name, timeoutSeconds = 30) =>
      behind.client.create(configMaps, { metadata: { namespace, name } }, { timeoutSeconds }),
    isStored: async (name) => (await admin.find(configMaps, { namespace, name })) !== undefined,
  };
}

interface Outcome {
  readonly error: ApiError;
  readonly stored: boolean;
  readonly kills: number;
  readonly storedAtKill: boolean | undefined;
  readonly record: WriteRecord;
}

/** Three writes with a fault at the second: the others must not notice. */
async function outcomeOf(t: TestContext, fault: Fault): Promise<Outcome> {
  const { proxy, write, isStored } = await world(t);
  let kills = 0;
  let storedAtKill: boolean | undefined;
  const kill = async () => {
    kills++;
    storedAtKill = await isStored("second");
  };
  const armed = proxy.arm({ site: { n: 2 }, fault, kill });
  await write("first");
  equal(armed.fired(), false);
  const error = await refusalOf(write("second", 1.5));
  await write("third");
  equal(armed.fired(), true);
  const record = await armed.whenFired;
  deepEqual(
    proxy.log().map(({ name, fault }) => [name, fault]),
    [
      ["first", undefined],
      ["second", fault],
      ["third", undefined],
    ],
  );
  deepEqual([await isStored("first"), await isStored("third")], [true, true]);
  deepEqual(armed.hits(), [record]);
  return { error, stored: await isStored("second"), kills, storedAtKill, record };
}

test("kill-before: the client is killed once, and the write never reaches the server", async (t) => {
  const { error, stored, kills, record } = await outcomeOf(t, { kind: "kill-before" });
  deepEqual([error.code, error.trouble, stored, kills], [0, "in-doubt", false, 1]);
  deepEqual([record.code, record.answer, record.told, record.delivered], [undefined, undefined, undefined, false]);
});

test("kill-after: the write is stored before the client is killed, and nothing is delivered", async (t) => {
  const { error, stored, kills, storedAtKill, record } = await outcomeOf(t, { kind: "kill-after" });
  deepEqual([error.code, error.trouble, stored, kills, storedAtKill], [0, "in-doubt", true, 1, true]);
  deepEqual(
    [record.code, record.answer?.metadata.name, record.told, record.delivered],
    [201, "second", undefined, false],
  );
});

test("lose-reply: the write is stored, and the client is in doubt", async (t) => {
  const { error, stored, kills, record } = await outcomeOf(t, { kind: "lose-reply" });
  deepEqual([error.code, error.trouble, stored, kills], [0, "in-doubt", true, 0]);
  deepEqual([record.code, record.told, record.delivered], [201, undefined, false]);
});

const refusals: readonly (readonly [RefusalCode, trouble: string, reason: string])[] = [
  [403, "refused", "Forbidden"],
  [409, "conflict", "Conflict"],
  [422, "refused", "Invalid"],
  [500, "in-doubt", "InternalError"],
  [503, "in-doubt", "ServiceUnavailable"],
];
for (const [code, trouble, reason] of refusals) {
  test(`answer ${code}: the client is refused (${trouble}), and the server knows nothing of it`, async (t) => {
    const { error, stored, record } = await outcomeOf(t, { kind: "answer", code });
    deepEqual([error.code, error.reason, error.trouble, stored], [code, reason, trouble, false]);
    deepEqual([record.code, record.told, record.delivered], [undefined, code, true]);
  });
}

test("answer 422 to a JSON patch is a refusal, not a test that failed", async (t) => {
  const { proxy, client, namespace, write } = await world(t);
  await write("note");
  proxy.arm({ site: { n: 1 }, fault: { kind: "answer", code: 422 } });
  const operations = [{ op: "add", path: "/data", value: {} }] as const;
  equal((await refusalOf(client.patch(configMaps, { namespace, name: "note" }, operations))).trouble, "refused");
});

test("answer 429: the client comes again, and not before the time it was told", async (t) => {
  const { proxy, write, isStored } = await world(t);
  proxy.arm({ site: { n: 1 }, fault: { kind: "answer", code: 429, retryAfterSeconds: 1 }, times: 2 });
  await write("note");
  const log = proxy.log();
  deepEqual(
    log.map(({ n, told, code }) => [n, told, code]),
    [
      [1, 429, undefined],
      [2, 429, undefined],
      [3, 201, 201],
    ],
  );
  const pauses = log.slice(1).map(({ at }, i) => at - (log[i]?.at ?? 0));
  ok(
    pauses.every((pause) => pause >= 990),
    `it came again after ${pauses.join(" and ")} ms`,
  );
  equal(await isStored("note"), true);
});

test("applied-then-500: the write is stored, and the client hears of a failure", async (t) => {
  const { error, stored, record } = await outcomeOf(t, { kind: "applied-then-500" });
  deepEqual([error.code, error.trouble, stored], [500, "in-doubt", true]);
  deepEqual([record.code, record.told, record.delivered], [201, 500, true]);
});

test("timeout: the client gives up, and nothing is stored", async (t) => {
  const { error, stored, record } = await outcomeOf(t, { kind: "timeout" });
  deepEqual([error.code, error.trouble, stored], [0, "in-doubt", false]);
  deepEqual([record.code, record.told, record.delivered], [undefined, undefined, false]);
});

test("applied-then-timeout: the client gives up, and the write is stored", async (t) => {
  const { error, stored, record } = await outcomeOf(t, { kind: "applied-then-timeout" });
  deepEqual([error.code, error.trouble, stored], [0, "in-doubt", true]);
  deepEqual([record.code, record.told, record.delivered], [201, undefined, false]);
});

test("slow: the write is forwarded later, and nothing else happens to it", async (t) => {
  const { proxy, write } = await world(t);
  const armed = proxy.arm({ site: ({ name }) => name === "late", fault: { kind: "slow", milliseconds: 300 } });
  const late = write("late");
  const record = await Promise.race([armed.whenFired, late]).then(() => armed.whenFired);
  equal((await late).metadata.name, "late");
  ok((record.answeredAt ?? 0) - record.at >= 299);
  deepEqual([record.code, record.told, record.delivered], [201, 201, true]);
});

test("sites are counted from the arming on, among the writes that are meant, and upkeep is never one", async (t) => {
  const { proxy, client, namespace, write } = await world(t);
  await write("before");
  const where = ({ resource, name = "" }: WriteRecord) => resource === "configmaps" && name.startsWith("meant");
  const counted = proxy.arm({ site: { n: 2, where }, fault: { kind: "answer", code: 403 } });
  const any = proxy.arm({ site: ({ resource }) => resource === "leases", fault: { kind: "answer", code: 403 } });
  const metadata = { namespace, name: "lease" };
  await client.create(leases, { metadata });
  const involvedObject = { namespace, name: "x" };
  await client.create(events, { metadata, involvedObject, reason: "x" });
  await write("other-1");
  await write("other-2");
  await write("meant-1");
  equal((await refusalOf(write("meant-2"))).code, 403);
  await write("meant-3");
  deepEqual([counted.fired(), any.fired()], [true, false]);
  deepEqual(
    proxy.log().map(({ n, resource, upkeep }) => [n, resource, upkeep]),
    [
      [1, "configmaps", false],
      [0, "leases", true],
      [0, "events", true],
      [2, "configmaps", false],
      [3, "configmaps", false],
      [4, "configmaps", false],
      [5, "configmaps", false],
      [6, "configmaps", false],
    ],
  );
  any.disarm();
  const lease = await client.get(leases, metadata);
  const renewal = proxy.arm({ site: () => true, fault: { kind: "answer", code: 409 }, upkeep: true });
  equal((await refusalOf(client.update(leases, lease))).code, 409);
  deepEqual([renewal.fired(), any.fired()], [true, false]);
});

test("a plan that kills needs somebody to kill", async (t) => {
  const { proxy } = await world(t);
  throws(() => proxy.arm({ site: { n: 1 }, fault: { kind: "kill-before" } }), /needs a kill/);
});

test("upkeep does not disturb the quiet, not even while it is under way", async (t) => {
  const { proxy, client, namespace } = await world(t);
  const told: string[] = [];
  proxy.arm({ site: { n: 1 }, fault: { kind: "timeout" }, upkeep: true });
  const lease = { metadata: { namespace, name: "lease" } };
  const renewing = refusalOf(client.create(leases, lease, { timeoutSeconds: 3 })).then(() => told.push("given up"));
  await until("the write has arrived", () => proxy.log().length === 1);
  await proxy.quiet(100).then(() => told.push("quiet"));
  await renewing;
  deepEqual(told, ["quiet", "given up"]);
});

test("it is not quiet while a write is under way", async (t) => {
  const { proxy, write } = await world(t);
  const told: string[] = [];
  proxy.arm({ site: { n: 1 }, fault: { kind: "timeout" } });
  const writing = refusalOf(write("unanswered", 1)).then(() => told.push("given up"));
  const armed = proxy.arm({ site: ({ name }) => name === "unanswered", fault: { kind: "slow", milliseconds: 0 } });
  await until("the write has arrived", () => proxy.log().length === 1);
  const quiet = proxy.quiet(100).then(() => told.push("quiet"));
  await Promise.all([writing, quiet]);
  deepEqual(told, ["given up", "quiet"]);
  equal(armed.fired(), false, "one write meets one plan");
});
