import { deepEqual, match } from "node:assert/strict";
import { after, test } from "node:test";
import { withCondition } from "../../src/api/conditions.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../src/api/gen/transfer.ts";
import { adminClient, keyOf, newNamespace } from "../fixture/client.ts";
import { anApproval, aRequest } from "../fixture/handshake.ts";
import { installPortway } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";

const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
after(() => admin.close());

/** Headings and cells, as a person sees them. */
async function table(args: readonly string[]): Promise<readonly (readonly string[])[]> {
  const lines = (await cluster.kubectl(["get", ...args])).trimEnd().split("\n");
  return lines.map((line) => line.trim().split(/ {2,}/));
}

function waitingFor(reason: string) {
  return withCondition(
    [],
    { type: "Complete", status: "False", reason, message: "Somebody has to agree." },
    new Date(0),
  );
}

test("kubectl get shows a request with its source, target, phase and reason", async (t) => {
  const namespace = await newNamespace(t, admin);
  const request = await admin.create(storageTransferRequests, aRequest(namespace));
  const { name } = request.metadata;
  const early = [name, "foo", "source-namespace", "bar"];
  deepEqual((await table(["-n", namespace, "str"]))[1]?.slice(0, 4), early, "before Portway has seen it");
  const status = { phase: "Pending", operation: "op-1", conditions: waitingFor("AwaitingApproval") };
  await admin.merge(storageTransferRequests, keyOf(request), { status }, { subresource: "status" });
  const [headings = [], cells = []] = await table(["-n", namespace, "str", "-o", "wide"]);
  deepEqual(headings, ["NAME", "SOURCE", "FROM", "TARGET", "PHASE", "REASON", "AGE", "APPROVAL", "OPERATION"]);
  deepEqual(cells.toSpliced(6, 1), [...early, "Pending", "AwaitingApproval", "approve-foo", "op-1"]);
});

test("kubectl get shows an approval with its source, target, phase and reason", async (t) => {
  const namespace = await newNamespace(t, admin);
  const approval = await admin.create(storageTransferApprovals, anApproval(namespace));
  const status = { phase: "Transferring", operation: "op-1", consumed: true, conditions: waitingFor("SourceInUse") };
  await admin.merge(storageTransferApprovals, keyOf(approval), { status }, { subresource: "status" });
  const [headings = [], cells = []] = await table(["-n", namespace, "sta", "-o", "wide"]);
  deepEqual(headings, ["NAME", "SOURCE", "TARGET", "PHASE", "REASON", "AGE", "REQUEST", "CONSUMED", "OPERATION"]);
  const words = ["foo", "target-namespace", "Transferring", "SourceInUse", "transfer-foo", "true", "op-1"];
  deepEqual(cells.toSpliced(5, 1), [approval.metadata.name, ...words]);
});

test("kubectl get portway shows both sides", async (t) => {
  const namespace = await newNamespace(t, admin);
  await admin.create(storageTransferRequests, aRequest(namespace));
  await admin.create(storageTransferApprovals, anApproval(namespace));
  const names = (await cluster.kubectl(["-n", namespace, "get", "portway", "-o", "name"])).trim().split("\n").sort();
  deepEqual(
    names.map((name) => name.split("/")[0]),
    ["storagetransferapproval.transfer.portway.dev", "storagetransferrequest.transfer.portway.dev"],
  );
});

test("our short names are nobody else's", async () => {
  const all = (await cluster.kubectl(["api-resources", "--no-headers"])).trim().split("\n");
  const answering = (short: string) =>
    all.filter((line) => line.split(/\s+/).slice(0, 2).join(",").split(",").includes(short));
  deepEqual(
    ["str", "sta"].map((short) => answering(short).length),
    [1, 1],
  );
});

test("kubectl wait ends when the transfer is complete", async (t) => {
  const namespace = await newNamespace(t, admin);
  const request = await admin.create(storageTransferRequests, aRequest(namespace));
  const words = ["--for=condition=Complete", "--timeout=60s", `str/${request.metadata.name}`];
  const waiting = cluster.kubectl(["-n", namespace, "wait", ...words]);
  const done = { type: "Complete", status: "True", reason: "Settled", message: "Done." } as const;
  const status = { complete: true, phase: "Complete", conditions: withCondition([], done, new Date(0)) };
  await admin.merge(storageTransferRequests, keyOf(request), { status }, { subresource: "status" });
  match(await waiting, /condition met/);
});

const explained: readonly (readonly [path: string, says: RegExp])[] = [
  ["storagetransferrequests", /asks for a claim of another namespace/],
  ["storagetransferrequests.spec.options.whenUnbound", /ENUM:\s+Wait\s+Move.*moves\s+the\s+empty\s+claim/s],
  ["storagetransferrequests.status.conditions", /its\s+reason\s+says\s+what\s+it\s+waits\s+for/],
  ["storagetransferapprovals.spec.source", /The claim in this namespace that is given/],
  ["storagetransferapprovals.status.consumed", /never becomes false again/],
];

for (const [path, says] of explained) {
  test(`kubectl explain ${path} says what it means`, async () => {
    match(await cluster.kubectl(["explain", path]), says);
  });
}

test("every field has a sentence", async () => {
  for (const kind of ["storagetransferrequests", "storagetransferapprovals"]) {
    const crd = await cluster.kubectl(["get", "crd", `${kind}.transfer.portway.dev`, "-o", "json"]);
    const { spec } = JSON.parse(crd) as { spec: { versions: { schema: { openAPIV3Schema: Field } }[] } };
    const { properties = {} } = spec.versions[0]?.schema.openAPIV3Schema ?? {};
    const fields = [...fieldsIn("spec", properties["spec"]), ...fieldsIn("status", properties["status"])];
    deepEqual(
      fields.filter(([, { description }]) => !/^[A-Z].*\.$/.test(description ?? "")).map(([path]) => path),
      [],
    );
  }
});

interface Field {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}

function fieldsIn(path: string, field: Field = {}): readonly (readonly [path: string, field: Field])[] {
  const inner = Object.entries(field.properties ?? field.items?.properties ?? {});
  return [[path, field], ...inner.flatMap(([name, one]) => fieldsIn(`${path}.${name}`, one))];
}
