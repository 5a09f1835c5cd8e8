import { deepEqual, equal, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { configMaps, type Event, events, namespaces } from "../../src/api/gen/core.ts";
import { type Events, eventsTo } from "../../src/runtime/events.ts";
import { adminClient, clientOf, newNamespace } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { rememberedLog } from "../fixture/remembered-log.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

/** Events as alice writes them, with the verbs of upstream's shipped roles and no others. */
async function told(t: TestContext, verbs: string | undefined) {
  const namespace = await newNamespace(t, admin);
  if (verbs !== undefined) {
    await cluster.kubectl(["-n", namespace, "create", "role", "events", `--verb=${verbs}`, "--resource=events"]);
    await cluster.kubectl(["-n", namespace, "create", "rolebinding", "events", "--role=events", "--user=alice"]);
  }
  const client = await clientOf(cluster.kubeconfigOf("alice"));
  t.after(() => client.close());
  const { log, lines } = rememberedLog();
  return { namespace, lines, teller: eventsTo({ client, component: "portway-test", log }) };
}

async function tellOf(teller: Events, namespace: string, message: string): Promise<string> {
  const note = await admin.create(configMaps, { metadata: { namespace, generateName: "note-" } });
  const { name, uid } = note.metadata;
  const about = { apiVersion: "v1", kind: "ConfigMap", namespace, name, uid };
  for (let n = 0; n < 3; n++) {
    teller.tell({ about, type: "Warning", reason: "SourceInUse", message, action: "Wait" });
    await teller.drained();
  }
  return uid;
}

async function eventsAbout(namespace: string, uid: string): Promise<readonly Event[]> {
  const found: Event[] = [];
  const where = { namespace, fieldSelector: `involvedObject.uid=${uid}` };
  for await (const { items } of admin.pages(events, where)) found.push(...items);
  return found;
}

test("three times the same is one Event with a count of three, with a vendor's rights", async (t) => {
  const { namespace, lines, teller } = await told(t, "create,patch,update");
  const uid = await tellOf(teller, namespace, "a pod uses it");
  const found = await eventsAbout(namespace, uid);
  deepEqual(
    found.map(({ count, type, reason, message }) => [count, type, reason, message]),
    [[3, "Warning", "SourceInUse", "a pod uses it"]],
  );
  deepEqual(lines, []);
  match(await cluster.kubectl(["-n", namespace, "get", "events"]), /SourceInUse.*a pod uses it/);
});

test("without rights it is said once, with what was refused", async (t) => {
  const { namespace, lines, teller } = await told(t, undefined);
  await tellOf(teller, namespace, "one");
  await tellOf(teller, namespace, "two");
  equal(lines.length, 1);
  match(String(lines[0]?.["err"]), /create events.*alice/);
});

test("an Event about an object of the cluster is taken by the server", async (t) => {
  const namespace = await newNamespace(t, admin);
  const { name, uid } = (await admin.get(namespaces, { name: namespace })).metadata;
  const { log, lines } = rememberedLog();
  const teller = eventsTo({ client: admin, component: "portway-test", log });
  const about = { apiVersion: "v1", kind: "Namespace", name, uid };
  teller.tell({ about, type: "Normal", reason: "TransferCompleted", message: "done" });
  await teller.drained();
  deepEqual(lines, []);
  equal((await eventsAbout("default", uid)).length, 1);
});
