import { deepEqual, equal, match, ok } from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { mutatingWebhookConfigurations } from "../../src/api/gen/admissionregistration.ts";
import { persistentVolumeClaims, secrets } from "../../src/api/gen/core.ts";
import { subjectOf } from "../faults/sweep/subject.ts";
import { actsOf } from "../fixture/audit.ts";
import { balancerTo } from "../fixture/balancer.ts";
import { claimThatIs, newVolume, referenceTo } from "../fixture/binding.ts";
import { adminClient, clientOf, keyOf, newNamespace, randomWord, refusalOf } from "../fixture/client.ts";
import { ownCluster } from "../fixture/dev-cluster.ts";
import { installPortway, transferAccount, webhookAccount } from "../fixture/install.ts";
import { until } from "../fixture/portway.ts";
import { isAllowed, tenantWith } from "../fixture/tenant.ts";
import { urlOf, type Webhook, webhookOn } from "../fixture/webhook.ts";
import { transferGround } from "../transfer/flows/world.ts";
import { annotate, claimBy, isHeld, letGoOfHold } from "./claims.ts";
import { testHolding } from "./holding.ts";

/*
 * The same as the policy does, on a server without MutatingAdmissionPolicy. The tests run in this order: two replicas start over
 * an empty Secret, answer, change their certificates under load, die one after the other, and come back.
 */
const cluster = await ownCluster({ after }, { emulate: "1.33", user: ["alice", "bob", "mallory"] });
// Short enough to see certificates come and go, and long enough for a slow machine.
const flags = ["--certificate-lifetime=36s"];
const replicas = [await webhookOn({ after }, cluster, flags), await webhookOn({ after }, cluster, flags)] as const;
const balancer = await balancerTo(() => replicas.map(({ port }) => port));
after(() => balancer.close());
const variant = await installPortway(cluster, { webhookUrl: urlOf(balancer) });
const admin = await adminClient(cluster);
const portway = await clientOf(await transferAccount(cluster));
after(async () => await Promise.all([admin.close(), portway.close()]));

async function alice(t: TestContext) {
  const namespace = await newNamespace(t, admin);
  return { t, admin, namespace, as: await tenantWith(t, cluster, "alice", namespace, "admin") };
}

async function configuration() {
  return await admin.get(mutatingWebhookConfigurations, { name: "portway" });
}

/** What the API server trusts at this moment. */
async function trusted(): Promise<readonly string[]> {
  const bundle = (await configuration()).webhooks?.[0]?.clientConfig.caBundle ?? "";
  const text = Buffer.from(bundle, "base64").toString();
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return pems.map((pem) => new X509Certificate(pem).fingerprint256);
}

function inWords({ metadata: { namespace = "", name } }: Awaited<ReturnType<typeof claimBy>>): string {
  return `${namespace}/${name}`;
}

/** The server takes a moment to hear of a configuration, and of a new certificate. */
async function untilGivesAreHeld(t: TestContext): Promise<void> {
  const by = await alice(t);
  const claim = await claimBy(by);
  await until("a give is held", async () => {
    const change = { metadata: { annotations: { transferRequest: "elsewhere/data" } } };
    const given = by.as.merge(persistentVolumeClaims, keyOf(claim), change, { dryRun: true });
    return await given.then(isHeld, () => false);
  });
}

test("a server without MutatingAdmissionPolicy gets the webhook", () => equal(variant, "webhook"));

test("two replicas that start at once over an empty Secret agree on one certificate", async (t) => {
  await Promise.all(replicas.map((replica) => replica.start()));
  const shown = await Promise.all(replicas.map((replica) => replica.shows()));
  equal(shown[0], shown[1]);
  deepEqual(await trusted(), [shown[0]]);
  await untilGivesAreHeld(t);
});

testHolding({ cluster, admin, portway });

test("certificates come and go under load, and nobody notices", async (t) => {
  const by = await alice(t);
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimBy(by)));
  const seen = replicas.map(() => new Set<string>());
  const over = new AbortController();
  let gives = 0;
  const giving = claims.map(async (claim) => {
    while (!over.signal.aborted) {
      await annotate(by.as, claim, { transferRequest: `elsewhere/${randomWord()}` });
      gives += 1;
    }
  });
  await until("both replicas show another one, and the first one is trusted no more", async () => {
    let known: readonly string[] = [];
    for (const [n, replica] of replicas.entries()) {
      known = await trusted();
      const shown = await replica.shows();
      ok(known.includes(shown), "what is shown was trusted before");
      seen[n]?.add(shown);
    }
    return seen.every(({ size }) => size >= 2) && known.length === 1;
  }).finally(() => over.abort());
  await Promise.all(giving);
  t.diagnostic(`${gives} gives, and none failed`);
  const figures = await Promise.all(replicas.map((replica) => replica.metrics()));
  for (const text of figures) {
    match(text, /^controller_runtime_webhook_requests_total\{code="200",webhook="give-and-accept"\} [1-9]/m);
    match(text, /^portway_webhook_certificate_expiry_timestamp_seconds [1-9]/m);
  }
});

test("what somebody removes is put back: the trust, and the certificates themselves", async (t) => {
  const change = [{ op: "remove", path: "/webhooks/0/clientConfig/caBundle" }] as const;
  await admin.patch(mutatingWebhookConfigurations, { name: "portway" }, change);
  await until("it is trusted again", async () => (await trusted()).includes(await replicas[0].shows()));
  await untilGivesAreHeld(t);
  const before = await replicas[0].shows();
  await admin.merge(secrets, { namespace: "portway-system", name: "portway-webhook" }, { data: null });
  await until("both show a new one, which is trusted", async () => {
    const [shown, known] = [await Promise.all(replicas.map((replica) => replica.shows())), await trusted()];
    return shown.every((one) => one !== before && known.includes(one));
  });
  await untilGivesAreHeld(t);
});

test("while one replica is gone, the other one answers; one that is asked to end ends in order", async (t) => {
  equal(await replicas[0].stopped(), 0);
  await untilGivesAreHeld(t);
  await replicas[0].start();
  await replicas[1].killed();
  await untilGivesAreHeld(t);
});

/** Nobody answers while this runs. */
async function withoutWebhook(work: () => Promise<void>): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.killed()));
  try {
    await work();
  } finally {
    await Promise.all(replicas.map((replica: Webhook) => replica.start()));
  }
}

test("while no replica answers, gives and new accepting claims are refused, and all else passes", async (t) => {
  const by = await alice(t);
  const className = `manual-${randomWord()}`;
  const plain = await claimBy(by);
  const given = await claimBy(by, { className, annotations: { transferRequest: "elsewhere/data" } });
  const accepting = await claimBy(by, { className, annotations: { transferAccept: "elsewhere/data" } });
  await withoutWebhook(async () => {
    const says = /failed calling webhook "give-and-accept\.transfer\.portway\.dev"/;
    const refusals = [
      await refusalOf(annotate(by.as, plain, { transferRequest: "elsewhere/data" })),
      await refusalOf(annotate(by.as, given, { transferRequest: "elsewhere/other" })),
      await refusalOf(claimBy(by, { annotations: { transferRequest: "elsewhere/data" } })),
      await refusalOf(claimBy(by, { annotations: { transferAccept: "elsewhere/data" } })),
    ];
    for (const { code, message } of refusals) {
      equal(code, 500);
      match(message, says);
    }
    const untouched = await admin.get(persistentVolumeClaims, keyOf(plain));
    equal(untouched.metadata.annotations?.["transferRequest"], undefined);

    const another = await claimBy(by);
    await annotate(by.as, another, { note: "plain" });
    await by.as.delete(persistentVolumeClaims, keyOf(another));
    for (const claim of [given, accepting]) {
      await annotate(by.as, claim, { note: "beside it" });
      await newVolume(t, admin, { className }, { claimRef: referenceTo(claim) });
      await claimThatIs("Bound", admin, keyOf(claim));
    }
    await annotate(by.as, given, { transferRequest: null });
    for (const claim of [given, accepting]) await by.as.delete(persistentVolumeClaims, keyOf(claim));
    await letGoOfHold(portway, given);
    await until("all of them are gone", async () => {
      const all = [another, given, accepting].map((claim) => admin.find(persistentVolumeClaims, keyOf(claim)));
      return (await Promise.all(all)).every((one) => one === undefined);
    });
  });
  await untilGivesAreHeld(t);
});

test("what was given and accepted is handed over although no replica answers from then on", async (t) => {
  const by = await alice(t);
  const there = await newNamespace(t, admin);
  const bob = { t, admin, namespace: there, as: await tenantWith(t, cluster, "bob", there, "admin") };
  const className = `manual-${randomWord()}`;
  const source = await claimBy(by, { className });
  await newVolume(t, admin, { className }, { claimRef: referenceTo(source) });
  await claimThatIs("Bound", admin, keyOf(source));
  const target = await claimBy(bob, { className, annotations: { transferAccept: inWords(source) } });
  await annotate(by.as, source, { transferRequest: inWords(target) });
  await withoutWebhook(async () => {
    await by.as.delete(persistentVolumeClaims, keyOf(source));
    const controller = subjectOf(transferGround.program(await transferAccount(cluster)));
    controller.start();
    try {
      await until("it is handed over", async () => {
        const { metadata, status } = await admin.get(persistentVolumeClaims, keyOf(target));
        const mark = metadata.annotations?.["pvc.kubernetes.io/transfer-status"];
        return status?.phase === "Bound" && mark === "complete";
      });
    } finally {
      await controller.stopped();
    }
  });
});

test("the account uses every right it has, is refused nothing, and touches two objects", async () => {
  const acts = await actsOf(cluster.layout, "portway-webhook");
  deepEqual([...new Set(acts.map(({ user }) => user))], ["system:serviceaccount:portway-system:portway-webhook"]);
  deepEqual(
    acts.filter(({ isForbidden }) => isForbidden),
    [],
  );
  const done = acts.map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name].join(" "));
  deepEqual([...new Set(done)].sort(), [
    "get mutatingwebhookconfigurations  portway",
    "get secrets portway-system portway-webhook",
    "patch mutatingwebhookconfigurations  portway",
    "patch secrets portway-system portway-webhook",
  ]);
});

test("the account may do this and nothing else", async (t) => {
  const account = await clientOf(await webhookAccount(cluster));
  t.after(() => account.close());
  const rules = await Promise.all(
    [["clusterrole"], ["-n", "portway-system", "role"]].map((kind) =>
      cluster.kubectl(["get", ...kind, "portway-webhook", "-o", "jsonpath={.rules}"]),
    ),
  );
  deepEqual(
    rules.map((text) => JSON.parse(text) as unknown),
    [
      [
        {
          apiGroups: ["admissionregistration.k8s.io"],
          resourceNames: ["portway"],
          resources: ["mutatingwebhookconfigurations"],
          verbs: ["get", "patch"],
        },
      ],
      [{ apiGroups: [""], resourceNames: ["portway-webhook"], resources: ["secrets"], verbs: ["get", "patch"] }],
    ],
  );
  const secret = (verb: string, name: string, namespace: string) =>
    isAllowed(account, { resource: "secrets", verb, name, namespace });
  equal(await secret("get", "portway-webhook", "portway-system"), true);
  equal(await secret("get", "another", "portway-system"), false);
  equal(await secret("get", "portway-webhook", "kube-system"), false);
  equal(await secret("list", "", "portway-system"), false);
  for (const verb of ["get", "patch", "give", "accept"])
    equal(await isAllowed(account, { resource: "persistentvolumeclaims", verb, namespace: "default" }), false);
});
