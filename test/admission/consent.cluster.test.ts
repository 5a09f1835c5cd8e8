import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { acceptAnnotations, giveAnnotations, holdFinalizer } from "../../src/api/transfer/names.ts";
import type { ApiError } from "../../src/kube/errors.ts";
import { claimThatIs, newVolume, referenceTo } from "../fixture/binding.ts";
import { adminClient, clientOf, keyOf, randomWord, refusalOf } from "../fixture/client.ts";
import { installPortway, transferAccount } from "../fixture/install.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { allowEverywhere, tenantWith, untilAllowed } from "../fixture/tenant.ts";
import { annotate, claimBy, isHeld, letGoOfHold } from "./claims.ts";
import { teamOn } from "./team.ts";

/* Who may give and accept, and who is not asked. */
const cluster = await laneCluster();
await installPortway(cluster);
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

const team = (t: TestContext) => teamOn(t, cluster, admin);

function isRefused({ code, deniedBy, message }: ApiError, says: RegExp): void {
  deepEqual([code, deniedBy], [403, "portway-consent-claims"]);
  match(message, says);
}

for (const word of giveAnnotations) {
  test(`whoever only edits gives nothing away by ${word}, neither a new claim nor one that is there`, async (t) => {
    const { namespace, alice, bob } = await team(t);
    const claim = await claimBy(bob);
    const give = { [word]: "elsewhere/data" };
    await annotate(alice.as, await claimBy(alice), give);
    await claimBy(alice, { annotations: give });
    const says = new RegExp(
      `bob may not give away the claim [-a-z0-9]+: that takes the right to give persistentvolumeclaims in ${namespace}`,
    );
    isRefused(await refusalOf(annotate(bob.as, claim, give)), says);
    isRefused(await refusalOf(claimBy(bob, { annotations: give })), says);
    equal(isHeld(await admin.get(persistentVolumeClaims, keyOf(claim))), false, "nothing has changed");
  });
}

for (const word of acceptAnnotations) {
  test(`whoever only edits accepts nothing by ${word}, neither with a new claim nor with one that is there`, async (t) => {
    const { namespace, alice, bob } = await team(t);
    const accept = { [word]: "elsewhere/data" };
    await annotate(alice.as, await claimBy(alice), accept);
    await claimBy(alice, { annotations: accept });
    const says = new RegExp(
      `bob may not accept a claim as [-a-z0-9]+: that takes the right to accept persistentvolumeclaims in ${namespace}`,
    );
    isRefused(await refusalOf(annotate(bob.as, await claimBy(bob), accept)), says);
    isRefused(await refusalOf(claimBy(bob, { annotations: accept })), says);
  });
}

test("whoever only edits cannot lead a gift to somebody else, but does what they like beside it and stops it", async (t) => {
  const { alice, bob } = await team(t);
  const claim = await claimBy(alice, { annotations: { transferRequest: "team-b/data" } });
  await annotate(alice.as, claim, { transferRequest: "team-c/data" });
  isRefused(await refusalOf(annotate(bob.as, claim, { transferRequest: "bobs-own/data" })), /bob may not give away/);
  const twin = { "transfer.portway.dev/transfer-request": "team-c/data" };
  isRefused(await refusalOf(annotate(bob.as, claim, twin)), /bob may not give away/);
  await annotate(bob.as, claim, { note: "beside it" });
  const stopped = await annotate(bob.as, claim, { transferRequest: null });
  ok(isHeld(stopped), "Portway lets go of it when it sees that the give is withdrawn");
});

test("a right to one claim is a right to that claim", async (t) => {
  const { namespace, alice } = await team(t);
  const [mine, theirs] = [await claimBy(alice, { name: "mine" }), await claimBy(alice, { name: "theirs" })];
  const right = ["--verb=give", "--resource=persistentvolumeclaims", "--resource-name=mine"];
  await cluster.kubectl(["-n", namespace, "create", "role", "give-mine", ...right]);
  await cluster.kubectl(["-n", namespace, "create", "rolebinding", "g", "--role=give-mine", "--user=mallory"]);
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "edit");
  await untilAllowed(mallory, { namespace, verb: "give", resource: "persistentvolumeclaims", name: "mine" });
  ok(isHeld(await annotate(mallory, mine, { transferRequest: "elsewhere/data" })));
  isRefused(
    await refusalOf(annotate(mallory, theirs, { transferRequest: "elsewhere/data" })),
    /mallory may not give away the claim theirs/,
  );
});

test("each right is asked for by its own annotation only", async (t) => {
  const { namespace, alice } = await team(t);
  const right = ["--verb=accept", "--resource=persistentvolumeclaims"];
  await cluster.kubectl(["-n", namespace, "create", "role", "accept-only", ...right]);
  await cluster.kubectl(["-n", namespace, "create", "rolebinding", "a", "--role=accept-only", "--user=mallory"]);
  const mallory = await tenantWith(t, cluster, "mallory", namespace, "edit");
  await untilAllowed(mallory, { namespace, verb: "accept", resource: "persistentvolumeclaims" });
  const claim = await claimBy(alice, { annotations: { transferRequest: "elsewhere/data" } });
  await annotate(mallory, claim, { transferAccept: "elsewhere/data" });
  isRefused(await refusalOf(annotate(mallory, claim, { transferRequest: "elsewhere/x" })), /mallory may not give away/);
});

test("a claim on its way out is not set free by another give", async (t) => {
  const { alice } = await team(t);
  const claim = await claimBy(alice, { annotations: { transferRequest: "elsewhere/data" } });
  await alice.as.delete(persistentVolumeClaims, keyOf(claim));
  await annotate(alice.as, claim, { transferRequest: "elsewhere/other" });
  const metadata = { finalizers: null, annotations: { transferRequest: "elsewhere/third" } };
  const refusal = await refusalOf(alice.as.merge(persistentVolumeClaims, keyOf(claim), { metadata }));
  deepEqual([refusal.code, refusal.deniedBy], [403, "portway-own-marks"]);
});

test("the hold comes with a give and in no other way, and nobody but Portway takes it off", async (t) => {
  const { alice, bob } = await team(t);
  const put = (as: typeof alice.as, claim: Parameters<typeof keyOf>[0], metadata: object) =>
    as.merge(persistentVolumeClaims, keyOf(claim), { metadata });
  const finalizers = [holdFinalizer];
  const claim = await claimBy(alice);
  const alone = [alice.as, bob.as].map((as) => refusalOf(put(as, claim, { finalizers })));
  for (const { code, deniedBy } of await Promise.all(alone)) deepEqual([code, deniedBy], [403, "portway-own-marks"]);
  const withMark = { finalizers, annotations: { transferRequest: "elsewhere/data", "transfer.portway.dev/id": "x" } };
  equal((await refusalOf(put(alice.as, claim, withMark))).deniedBy, "portway-own-marks");
  ok(isHeld(await put(alice.as, claim, { finalizers, annotations: { transferRequest: "elsewhere/data" } })));
  for (const metadata of [{ finalizers: null }, { finalizers: null, annotations: { transferRequest: null } }]) {
    equal((await refusalOf(put(alice.as, claim, metadata))).deniedBy, "portway-own-marks");
    equal((await refusalOf(put(bob.as, claim, metadata))).deniedBy, "portway-own-marks");
  }
  await annotate(alice.as, claim, { transferRequest: null });
  await letGoOfHold(portway, claim);
  equal(isHeld(await admin.get(persistentVolumeClaims, keyOf(claim))), false);
});

test("there is no way around it through the status", async (t) => {
  const { alice } = await team(t);
  const resource = "persistentvolumeclaims/status";
  const mallory = await allowEverywhere(t, cluster, { user: "mallory", resource, verbs: ["patch"] });
  const claim = await claimBy(alice);
  const throughStatus = (annotations: object) =>
    mallory.merge(persistentVolumeClaims, keyOf(claim), { metadata: { annotations } }, { subresource: "status" });
  await throughStatus({ note: "allowed" });
  isRefused(await refusalOf(throughStatus({ transferRequest: "elsewhere/data" })), /mallory may not give away/);
  isRefused(await refusalOf(throughStatus({ transferAccept: "elsewhere/data" })), /mallory may not accept/);
});

test("no controller accepts in the name of somebody who may not", async (t) => {
  const { namespace } = await team(t);
  const create = (name: string, annotations: object) =>
    cluster.kubectl(["create", "-f", "-"], {
      kubeconfig: cluster.kubeconfigOf("bob"),
      input: JSON.stringify(aStatefulSet(namespace, name, annotations)),
    });
  await create("plain", {});
  await create("sly", { transferAccept: "elsewhere/data" });
  await until("the plain one has its claim", async () => {
    return (await admin.find(persistentVolumeClaims, { namespace, name: "data-plain-0" })) !== undefined;
  });
  await until("the other one was refused", async () => {
    const events = await cluster.kubectl(["-n", namespace, "get", "events", "-o", "jsonpath={.items[*].message}"]);
    return events.includes("statefulset-controller may not accept a claim as data-sly-0");
  });
  equal(await admin.find(persistentVolumeClaims, { namespace, name: "data-sly-0" }), undefined);
});

function aStatefulSet(namespace: string, name: string, annotations: object): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "none.invalid/none" }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data", annotations },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            storageClassName: "none-such",
          },
        },
      ],
    },
  };
}

test("the binder, pvc-protection and whoever edits pass where nothing changes", async (t) => {
  const { alice, bob } = await team(t);
  const className = `manual-${randomWord()}`;
  const given = await claimBy(alice, { className, annotations: { transferRequest: "elsewhere/data" } });
  const accepting = await claimBy(alice, { className, annotations: { transferAccept: "elsewhere/data" } });
  for (const claim of [given, accepting]) {
    await newVolume(t, admin, { className }, { claimRef: referenceTo(claim) });
    await claimThatIs("Bound", admin, keyOf(claim));
    const seen = await bob.as.get(persistentVolumeClaims, keyOf(claim));
    await bob.as.update(persistentVolumeClaims, { ...seen, metadata: { ...seen.metadata, labels: { team: "a" } } });
    await bob.as.delete(persistentVolumeClaims, keyOf(claim));
  }
  await letGoOfHold(portway, given);
  await until("both are gone", async () => {
    const left = await Promise.all([given, accepting].map((claim) => admin.find(persistentVolumeClaims, keyOf(claim))));
    return left.every((one) => one === undefined);
  });
});

test("the audit log says who gave and who accepted", async (t) => {
  const { alice, namespace } = await team(t);
  await claimBy(alice, { name: "gift", annotations: { transferRequest: "team-b/data" } });
  await claimBy(alice, { name: "wish", annotations: { "transfer.portway.dev/transfer-accept": "team-c/data" } });
  const expected = [
    `"portway-consent-claims/given":"alice gives the claim ${namespace}/gift to team-b/data"`,
    `"portway-consent-claims/accepted":"alice accepts the claim team-c/data as ${namespace}/wish"`,
  ];
  await until("both are in the log", async () => {
    const log = await readFile(join(cluster.directory, "logs", "audit.log"), "utf8");
    return expected.every((words) => log.includes(words));
  });
});

test("a namespace with given and accepting claims can go, once Portway lets go of them", async (t) => {
  const { alice, namespace } = await team(t);
  const given = await claimBy(alice, { annotations: { transferRequest: "elsewhere/data" } });
  const accepting = await claimBy(alice, { annotations: { transferAccept: "elsewhere/data" } });
  await cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await until("the accepting one is gone, and the given one on its way", async () => {
    const { deletionTimestamp } = (await admin.get(persistentVolumeClaims, keyOf(given))).metadata;
    return (
      deletionTimestamp !== undefined && (await admin.find(persistentVolumeClaims, keyOf(accepting))) === undefined
    );
  });
  await letGoOfHold(portway, given);
  await until("it is gone", async () => (await admin.find(persistentVolumeClaims, keyOf(given))) === undefined);
});
