import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fakeClock } from "../../../test/fixture/fake-clock.ts";
import { rememberedLog } from "../../../test/fixture/remembered-log.ts";
import type { Secret } from "../../api/gen/core.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import type { Operation } from "../../kube/json-patch.ts";
import { keyringIn } from "./keyring.ts";
import { scheduleFor } from "./rules.ts";
import { upkeepOf } from "./upkeep.ts";

/** The two objects as a server stores them, with versions and tests of versions; the real one is in test/admission. */
function aServer() {
  const objects = new Map<string, Stored<KubeObject>>();
  let version = 1;
  const store = (kind: string, object: object) => {
    version += 1;
    const metadata = { name: kind, uid: kind, resourceVersion: String(version) };
    objects.set(kind, { ...object, metadata });
  };
  store("Secret", {});
  store("MutatingWebhookConfiguration", { webhooks: [{ name: "give", clientConfig: {} }] });

  function patch(kind: string, operations: readonly Operation[]): void {
    const whole = structuredClone(objects.get(kind)) as unknown as Record<string, unknown>;
    for (const operation of operations) {
      const steps = operation.path.slice(1).split("/");
      const last = steps.pop() ?? "";
      const parent = steps.reduce((at, step) => at[step] as Record<string, unknown>, whole);
      if (operation.op === "test" && (parent[last] ?? null) !== operation.value) throw conflict();
      if (operation.op === "add") parent[last] = operation.value;
    }
    store(kind, whole);
  }

  return {
    objects,
    store,
    /** A client whose writes wait for this before they arrive. */
    client(arrives: () => Promise<void> = async () => undefined): Client {
      const some: Pick<Client, "find" | "patch"> = {
        find: async ({ kind }) => objects.get(kind) as never,
        async patch({ kind }, _key, operations) {
          await arrives();
          patch(kind, operations);
          return objects.get(kind) as never;
        },
      };
      return some as Client;
    },
  };
}

function conflict(): ApiError {
  const facts = { code: 422, reason: "Invalid", message: "", causes: [], retryAfterSeconds: undefined };
  return new ApiError({ verb: "patch", resource: "secrets", writes: true }, facts, "conflict");
}

type Server = ReturnType<typeof aServer>;

function current({ objects }: Server): string | undefined {
  return keyringIn((objects.get("Secret") ?? {}) as Secret).current?.certificate;
}

function trusted({ objects }: Server): string {
  const { webhooks = [] } = (objects.get("MutatingWebhookConfiguration") ?? {}) as {
    webhooks?: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
  };
  return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString();
}

const schedule = scheduleFor(120);

function replica(t: TestContext, server: Server, clock: ReturnType<typeof fakeClock>, arrives?: () => Promise<void>) {
  const served: string[] = [];
  const { log, lines } = rememberedLog();
  const serve = ({ certificate }: { readonly certificate: string }) => void served.push(certificate);
  const upkeep = upkeepOf({ client: server.client(arrives), clock, log, schedule, serve });
  const stop = new AbortController();
  const ended = upkeep.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await ended;
  });
  return { ...upkeep, served, lines };
}

test("through ten lives of certificates, whatever a replica serves was trusted before, and both agree in the end", async (t) => {
  const [server, clock] = [aServer(), fakeClock()];
  const first = replica(t, server, clock);
  // So that they look at different times.
  await clock.advance(schedule.checkSeconds * 500);
  const replicas = [first, replica(t, server, clock)];
  for (let seconds = 0; seconds < 1200; seconds++) {
    await clock.advance(1000);
    const all = trusted(server);
    for (const { served, check } of replicas) {
      ok(all.includes(served.at(-1) ?? "nothing"), `at ${seconds} s`);
      equal(await check(), undefined);
    }
  }
  const [one, other] = replicas.map(({ served }) => served);
  deepEqual(one, other);
  ok((one?.length ?? 0) > 10, "many came and went");
  ok(all(trusted(server)) <= 3);
});

function all(bundle: string): number {
  return bundle.split("BEGIN CERTIFICATE").length - 1;
}

test("a write that arrives late does not undo what a sibling has done since", async (t) => {
  const [server, clock] = [aServer(), fakeClock()];
  const late = Promise.withResolvers<void>();
  const slow = replica(t, server, clock, () => late.promise);
  await clock.settle();
  const quick = replica(t, server, clock);
  await clock.advance(1000);
  equal(quick.served.length, 1);
  late.resolve();
  await clock.advance(5000);
  equal(current(server), quick.served[0]);
  deepEqual(slow.served, quick.served);
  equal(trusted(server), quick.served[0]);
});

test("a replica is ready when it serves, and says until then what it lacks", async (t) => {
  const [server, clock] = [aServer(), fakeClock()];
  server.objects.delete("Secret");
  const one = replica(t, server, clock);
  await clock.settle();
  match((await one.check()) ?? "", /there is no Secret portway-webhook/);
  equal(one.expiry().getTime(), 0);
  ok(one.lines.some(({ msg }) => msg === "the certificates cannot be looked after"));
  server.store("Secret", {});
  await clock.advance(10_000);
  equal(await one.check(), undefined);
  ok(one.expiry() > clock.wall());
});

test("a replica that can no longer look serves on until its certificate is over, and is then not ready", async (t) => {
  const [server, clock] = [aServer(), fakeClock()];
  const { check } = replica(t, server, clock);
  await clock.advance(1000);
  server.objects.clear();
  await clock.advance(60_000);
  equal(await check(), undefined);
  await clock.advance(60_000);
  equal(await check(), "the certificate has expired");
});

test("certificates of a newer Portway are left alone", async (t) => {
  const [server, clock] = [aServer(), fakeClock()];
  const data = { v: Buffer.from("2").toString("base64") };
  server.store("Secret", { data });
  const { check } = replica(t, server, clock);
  await clock.advance(60_000);
  match((await check()) ?? "", /written by a newer Portway/);
  deepEqual((server.objects.get("Secret") as { data?: object } | undefined)?.data, data);
});
