import { deepEqual, ok } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { configMaps, persistentVolumeClaims, persistentVolumes } from "../../src/api/gen/core.ts";
import { handOf } from "../../src/runtime/hand.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Reconciler } from "../../src/runtime/reconciler.ts";
import { sourcesOf } from "../../src/runtime/sources.ts";
import { decide } from "../../src/runtime/table.ts";
import { type Memory, takeTurn } from "../../src/runtime/turn.ts";
import { behindProxy } from "../faults/behind-proxy.ts";
import { monitor } from "../faults/monitor.ts";
import { claimThatIs, newBoundPair, newPlace, type Place, volumeThatIs } from "../fixture/binding.ts";
import { adminClient, keyOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";
import { deedLabel, journalIn } from "../sample/journal.ts";
import { rules, type Step } from "../sample/rules.ts";
import { deedWatches, observe, type Seen } from "../sample/seen.ts";
import { report } from "../sample/status.ts";
import { act } from "../sample/steps.ts";
import { binder } from "./model/binder.ts";
import { protections } from "./model/residents.ts";
import { replay } from "./replay.ts";
import { recorded } from "./trace.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

const silent: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** The sample, turn by turn, through a proxy that writes down what it sends. */
async function sampleBehindProxy(t: TestContext, key: string) {
  const { client, proxy } = await behindProxy(t, cluster, { component: "portway-sample" });
  const sources = sourcesOf({ client, log: silent });
  t.after(() => sources.stop());
  const watches = deedWatches(sources);
  await sources.untilSynced();
  const reconciler: Reconciler<Seen, Step> = {
    name: "deeds",
    observe: (place, look) => observe(watches, place, look),
    decide: (seen) => decide(rules, seen),
    act,
    report,
  };
  const memory: Memory = { reply: undefined, waiting: undefined };
  const { signal } = new AbortController();
  const hand = () => handOf({ client, sources, holdsLease: () => true, signal, tell: () => undefined });
  const clock = { now: () => performance.now(), wall: () => new Date() };
  return {
    log: () => proxy.log(),
    /** Whatever goes wrong is tried again. */
    turn: () =>
      takeTurn(key, memory, {
        reconciler,
        clock,
        log: silent,
        hand,
        onStep: () => undefined,
        mayGoOn: () => true,
      }).catch(() => undefined),
  };
}

function watchedIn({ namespace, className }: Place) {
  const isOurs = (object: object) =>
    (object as { readonly spec?: { readonly storageClassName?: string } }).spec?.storageClassName === className;
  return [
    { resource: persistentVolumeClaims, namespaces: [namespace] },
    {
      resource: configMaps,
      namespaces: [namespace],
      only: ({ metadata }: { metadata: { labels?: object } }) => metadata.labels !== undefined,
    },
    { resource: persistentVolumes, only: isOurs },
  ];
}

test("a hand-over on the real cluster, from binding to release, is one that the model allows", async (t) => {
  const place = await newPlace(t, admin);
  const { namespace } = place;
  const seer = await monitor({ client: admin, watched: watchedIn(place) });
  t.after(() => seer.close());
  const { claim, volume } = await newBoundPair(t, admin, place);
  const labels = { [deedLabel]: claim.metadata.name };
  await admin.create(configMaps, { metadata: { namespace, name: "deed", labels }, data: { text: "mine" } });
  const sample = await sampleBehindProxy(t, `${namespace}/${claim.metadata.name}`);
  await until("the deed is handed over and nothing is held", async () => {
    await sample.turn();
    const { annotations } = (await admin.get(persistentVolumes, keyOf(volume))).metadata;
    const { finalizers = [] } = (await admin.get(persistentVolumeClaims, keyOf(claim))).metadata;
    return journalIn(annotations)?.done === true && finalizers.length === 1;
  });
  await claimThatIs("Bound", admin, keyOf(claim));
  await admin.delete(persistentVolumeClaims, keyOf(claim));
  await volumeThatIs("Released", admin, keyOf(volume));
  await seer.caughtUp();
  const trace = recorded(sample.log(), seer.history());
  const { counts, server } = replay({ trace, residents: [...binder, ...protections] });
  ok(counts.stored >= 6, `${counts.stored} writes of ours`);
  ok(counts.residents >= 7, `${counts.residents} of the binder's and the protections' own`);
  const phases = [...server.objects.values()].map(({ status }) => (status as { phase?: string } | undefined)?.phase);
  deepEqual(phases.includes("Released"), true);
  t.diagnostic(JSON.stringify(counts));
});
