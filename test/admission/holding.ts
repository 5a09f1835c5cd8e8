import { deepEqual, equal, ok } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import { acceptAnnotations, giveAnnotations, holdFinalizer, holdSelector } from "../../src/api/transfer/names.ts";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { binderCatchesUp, claimPhase, claimThatIs, newVolume, referenceTo, volumeThatIs } from "../fixture/binding.ts";
import { keyOf, newNamespace, randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { tenantWith } from "../fixture/tenant.ts";
import { annotate, claimBy, isHeld, letGoOfHold } from "./claims.ts";

export interface HoldingGround {
  readonly cluster: Handle;
  readonly admin: Client;
  /** The account that moves volumes. */
  readonly portway: Client;
}

/** What happens to a claim in the write that gives or accepts it. The policy and the webhook have to do the same. */
export function testHolding({ cluster, admin, portway }: HoldingGround): void {
  /** Somebody who administers a namespace of this test's own. */
  async function alice(t: TestContext) {
    const namespace = await newNamespace(t, admin);
    return { t, admin, namespace, as: await tenantWith(t, cluster, "alice", namespace, "admin") };
  }

  for (const word of giveAnnotations) {
    test(`${word} puts the hold on in the same write, of a new claim too`, async (t) => {
      const by = await alice(t);
      const plain = await claimBy(by);
      equal(isHeld(plain), false);
      const given = await annotate(by.as, plain, { [word]: "elsewhere/data" });
      ok(isHeld(given));
      deepEqual(
        given.metadata.finalizers?.filter((one) => one !== holdFinalizer),
        plain.metadata.finalizers,
        "those of others stay",
      );
      ok(isHeld(await claimBy(by, { annotations: { [word]: "elsewhere/data" } })));
      ok(isHeld(await claimBy(by, { annotations: { [word]: "elsewhere/data" }, finalizers: ["example.dev/other"] })));
    });
  }

  test("a give to somebody else is held anew, and one that is held already is held once", async (t) => {
    const by = await alice(t);
    const claim = await claimBy(by, { annotations: { transferRequest: "elsewhere/data" } });
    const twice = await annotate(by.as, claim, { transferRequest: "elsewhere/other" });
    equal(twice.metadata.finalizers?.filter((one) => one === holdFinalizer).length, 1);
    await letGoOfHold(portway, claim);
    equal(isHeld(await annotate(by.as, claim, { note: "something else" })), false, "nothing was given by this one");
    ok(isHeld(await annotate(by.as, claim, { transferRequest: "elsewhere/third" })));
  });

  test("a claim that is being deleted can be given, and gets no hold", async (t) => {
    const by = await alice(t);
    const claim = await claimBy(by, { finalizers: ["example.dev/wait"] });
    await by.as.delete(persistentVolumeClaims, keyOf(claim));
    const given = await annotate(by.as, claim, { transferRequest: "elsewhere/data" });
    equal(given.metadata.annotations?.["transferRequest"], "elsewhere/data");
    equal(isHeld(given), false);
  });

  test("a claim that is given and deleted at once stays until Portway lets go of it", async (t) => {
    const by = await alice(t);
    const claim = await claimBy(by);
    await annotate(by.as, claim, { transferRequest: "elsewhere/data" });
    await by.as.delete(persistentVolumeClaims, keyOf(claim));
    await until("only the hold keeps it", async () => {
      const { finalizers = [] } = (await admin.get(persistentVolumeClaims, keyOf(claim))).metadata;
      return finalizers.join() === holdFinalizer;
    });
    await letGoOfHold(portway, claim);
    await until("it is gone", async () => (await admin.find(persistentVolumeClaims, keyOf(claim))) === undefined);
  });

  for (const word of acceptAnnotations) {
    test(`${word} makes a new claim wait, and tells nobody whether the source exists`, async (t) => {
      const by = await alice(t);
      const source = await claimBy(by);
      const selectors = [];
      for (const name of [source.metadata.name, "no-such-claim"]) {
        const { spec } = await claimBy(by, { annotations: { [word]: `${by.namespace}/${name}` } });
        selectors.push(spec?.selector);
      }
      deepEqual(selectors, [{ matchLabels: holdSelector }, { matchLabels: holdSelector }]);
    });
  }

  test("what the owner selects stays selected", async (t) => {
    const by = await alice(t);
    const annotations = { transferAccept: "elsewhere/data" };
    const expressions = [{ key: "disk", operator: "Exists" }];
    const wishes = [
      { matchLabels: { disk: "fast" } },
      { matchExpressions: expressions },
      { matchLabels: {} },
      { matchLabels: { "transfer.portway.dev/awaits": "nothing" } },
    ];
    const selectors = [];
    for (const selector of wishes)
      selectors.push((await claimBy(by, { annotations, spec: { selector } })).spec?.selector);
    deepEqual(selectors, [
      { matchLabels: { disk: "fast", ...holdSelector } },
      { matchExpressions: expressions, matchLabels: holdSelector },
      { matchLabels: holdSelector },
      { matchLabels: holdSelector },
    ]);
  });

  test("a claim that accepts later keeps its spec", async (t) => {
    const by = await alice(t);
    const claim = await annotate(by.as, await claimBy(by), { transferAccept: "elsewhere/data" });
    equal(claim.spec?.selector, undefined);
  });

  test("a waiting claim takes no volume that fits, and is bound by the one that names it", async (t) => {
    const by = await alice(t);
    const className = `manual-${randomWord()}`;
    const free = await newVolume(t, admin, { className });
    await volumeThatIs("Available", admin, free.metadata);
    const accepting = await claimBy(by, { className, annotations: { transferAccept: "elsewhere/data" } });
    await binderCatchesUp(t, admin, { namespace: by.namespace, className });
    equal(await claimPhase(admin, accepting), "Pending");
    const handed = await newVolume(t, admin, { className }, { claimRef: referenceTo(accepting) });
    const bound = await claimThatIs("Bound", admin, keyOf(accepting));
    equal(bound.spec?.volumeName, handed.metadata.name);
    await volumeThatIs("Available", admin, free.metadata);
  });

  test("a plain claim is left as it was written", async (t) => {
    const by = await alice(t);
    const claim = await claimBy(by, { annotations: { note: "transferRequest" } });
    deepEqual([claim.spec?.selector, isHeld(claim)], [undefined, false]);
  });
}
