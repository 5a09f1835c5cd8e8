import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  configMaps,
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from "../../src/api/gen/core.ts";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import type { Operation } from "../../src/kube/json-patch.ts";
import type { StateRule, Version } from "../faults/monitor.ts";
import { currentOf } from "../faults/monitor.ts";
import { inWords, type OrderRule } from "../faults/order.ts";
import type { Flow, Stage } from "../faults/sweep/flow.ts";
import { randomWord } from "../fixture/client.ts";
import { until } from "../fixture/portway.ts";
import { deedLabel, deedMark, holdFinalizer, journalIn, journalMark } from "./journal.ts";

export interface World {
  readonly namespace: string;
  readonly volume: string;
}

const deedText = "the deed of this claim";
/** Says much, and does not wait half a minute for an answer that never comes. */
const hasty = ["-v", "2", "--kube-api-timeout", "3s"];
const conditionType = "sample.portway.dev/Deeded";
const isOurs = ({ metadata }: Stored<KubeObject>) => metadata.name.startsWith("sample-");

/** The text is with the claim, or on its volume: there is no moment in which it is nowhere. */
const neverLost: StateRule = {
  id: "S1",
  says: "a deed is burnt only when the volume carries its text",
  holds({ resource, type, object }, history) {
    if (resource !== "configmaps" || type !== "DELETED") return true;
    const claim = `${object.metadata.namespace ?? ""}/${object.metadata.labels?.[deedLabel] ?? ""}`;
    const { data = {} } = object as { readonly data?: Readonly<Record<string, string>> };
    const carried = volumeOf(claim, history)?.metadata.annotations?.[deedMark];
    return carried === data["text"] || `${object.metadata.name} is gone, and the volume says ${carried ?? "nothing"}`;
  },
};

const heldWhileOpen: StateRule = {
  id: "S2",
  says: "while the journal is open the claim is held",
  holds({ resource, object }, history) {
    if (resource !== "persistentvolumes") return true;
    const journal = journalIn(object.metadata.annotations);
    if (journal === undefined || journal.done === true) return true;
    const claim = currentOf(history).find(({ uid }) => uid === journal.claimUid)?.object;
    return claim?.metadata.finalizers?.includes(holdFinalizer) === true || "the claim is not held";
  },
};

function volumeOf(claim: string, history: readonly Version[]): Stored<KubeObject> | undefined {
  const volumes = currentOf(history).filter(({ resource }) => resource === "persistentvolumes");
  return volumes.find(({ object }) => {
    const { claimRef } = (object as PersistentVolume).spec ?? {};
    return `${claimRef?.namespace}/${claimRef?.name}` === claim;
  })?.object;
}

/** Timing may hide it from the stored states; the order of what we sent hides nothing. */
const copiedBeforeBurnt: OrderRule = {
  id: "S3",
  says: "a deed is burnt after the answer that its copy is stored, and after the journal",
  broken(log) {
    const firstBurn = log.find(({ verb, resource }) => verb === "delete" && resource === "configmaps");
    if (firstBurn === undefined) return [];
    // A test for a mark stores nothing: only what puts it there counts.
    const stored = log
      .filter(({ n, code = 0 }) => n < firstBurn.n && code === 200)
      .flatMap(({ body }) => (Array.isArray(body) ? (body as readonly Operation[]) : []))
      .filter(({ op }) => op !== "test");
    const marks = [journalMark, deedMark].filter(
      (mark) => !stored.some(({ path }) => path.endsWith(`/${mark.replace("/", "~1")}`)),
    );
    return marks.map((mark) => `${inWords(firstBurn)} came before ${mark} was stored`);
  },
};

const namesTheVersion: OrderRule = {
  id: "S4",
  says: "a deed is burnt as it was copied",
  broken: (log) =>
    log
      .filter(({ verb, preconditions }) => verb === "delete" && preconditions.resourceVersion === undefined)
      .map((write) => `${inWords(write)} has no resourceVersion precondition`),
};

/** A claim with a deed is bound, and the deed goes to its volume. */
export const handOverADeed: Flow<World> = {
  name: "sample",
  budget: 7,
  mendsRefusals: true,
  watched: [
    { resource: persistentVolumeClaims },
    { resource: persistentVolumes, only: isOurs },
    { resource: configMaps, only: isOurs },
  ],
  stateRules: [neverLost, heldWhileOpen],
  orderRules: [copiedBeforeBurnt, namesTheVersion],
  async install({ cluster }) {
    await cluster.apply(await readFile(join(import.meta.dirname, "rights.yaml"), "utf8"));
    return await cluster.serviceAccount("portway-sample", "portway-sample");
  },
  program: (kubeconfig) => ({
    file: join(import.meta.dirname, "run.ts"),
    args: ["--kubeconfig", kubeconfig, "--leader-election-identity", "sample-0", "--http-endpoint", "", ...hasty],
  }),
  async begin({ admin }) {
    const namespace = `sample-${randomWord()}`;
    await admin.create(namespaces, { metadata: { name: namespace } });
    const className = namespace;
    const { metadata } = await admin.create(persistentVolumes, {
      metadata: { name: `sample-${randomWord()}` },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        csi: { driver: "sample.portway.dev", volumeHandle: randomWord() },
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: className,
      },
    });
    await admin.create(persistentVolumeClaims, {
      metadata: { name: "photos", namespace },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: className,
      },
    });
    // Bound first: a deed for a claim that is not bound yet would be told so, or not, as the binder pleases.
    await until("the claim is bound", async () => {
      const { status } = await admin.get(persistentVolumeClaims, { namespace, name: "photos" });
      return status?.phase === "Bound";
    });
    await admin.create(configMaps, {
      metadata: { name: "sample-deed", namespace, labels: { [deedLabel]: "photos" } },
      data: { text: deedText },
    });
    return { namespace, volume: metadata.name };
  },
  async isSettled({ namespace }, { admin }) {
    const claim = await admin.find(persistentVolumeClaims, { namespace, name: "photos" });
    const condition = conditionIn(claim);
    return condition?.status === "True" && claim?.metadata.finalizers?.includes(holdFinalizer) === false;
  },
  async picture({ namespace, volume }, { admin }) {
    const claim = await admin.get(persistentVolumeClaims, { namespace, name: "photos" });
    const { metadata } = await admin.get(persistentVolumes, { name: volume });
    const { lastTransitionTime: _, ...condition } = conditionIn(claim) ?? { lastTransitionTime: "" };
    return {
      phase: claim.status?.phase,
      finalizers: claim.metadata.finalizers,
      condition,
      deed: metadata.annotations?.[deedMark],
      done: journalIn(metadata.annotations)?.done,
      deeds: (await admin.find(configMaps, { namespace, name: "sample-deed" })) === undefined ? 0 : 1,
    };
  },
  async clear({ namespace, volume }, stage) {
    await forget(stage, namespace, volume);
  },
};

function conditionIn(claim: Stored<PersistentVolumeClaim> | undefined) {
  return claim?.status?.conditions?.find(({ type }) => type === conditionType);
}

async function forget({ admin }: Stage, namespace: string, volume: string): Promise<void> {
  const { uid } = (await admin.get(namespaces, { name: namespace })).metadata;
  await admin.delete(namespaces, { name: namespace, uid });
  const found = (await admin.get(persistentVolumes, { name: volume })).metadata;
  await admin.delete(persistentVolumes, { name: volume, uid: found.uid });
}
