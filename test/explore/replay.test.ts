import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import { binder } from "./model/binder.ts";
import { protections } from "./model/residents.ts";
import { Forbidden, replay } from "./replay.ts";
import type { Change, OwnWrite, Trace } from "./trace.ts";

const residents = [...binder, ...protections];
const time = "2026-11-17T12:00:00Z";

type Object = Stored<KubeObject> & { readonly [member: string]: unknown };

function claim(version: number, spec: object = {}, status: object = { phase: "Pending" }): Object {
  const metadata = { namespace: "team", name: "claim", uid: "c", resourceVersion: String(version) };
  const finalizers = ["kubernetes.io/pvc-protection"];
  return {
    metadata: { ...metadata, creationTimestamp: time, finalizers },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "manual",
      volumeMode: "Filesystem",
      ...spec,
    },
    status,
  };
}

function volume(
  version: number,
  more: { readonly spec?: object; readonly phase?: string; readonly labels?: object } = {},
): Object {
  const { spec = {}, phase = "Available", labels } = more;
  const metadata = { name: "volume", uid: "v", resourceVersion: String(version), creationTimestamp: time };
  return {
    metadata: { ...metadata, finalizers: ["kubernetes.io/pv-protection"], ...(labels === undefined ? {} : { labels }) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "d", volumeHandle: "h" },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "other",
      volumeMode: "Filesystem",
      ...spec,
    },
    status: { phase, lastPhaseTransitionTime: time },
  } as Object;
}

const start: Trace["start"] = [
  { resource: "persistentvolumeclaims", object: claim(5) },
  { resource: "persistentvolumes", object: volume(7) },
];

const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "team", name: "claim", uid: "c" };

function give(version: number, seen: number, code: number, answer?: Object): OwnWrite {
  const body = [
    { op: "test", path: "/metadata/resourceVersion", value: String(seen) },
    { op: "add", path: "/spec/claimRef", value: claimRef },
  ];
  const place = { group: "", resource: "persistentvolumes", name: "volume", userAgent: "portway" };
  const write = { verb: "patch" as const, ...place, body, code, ...(answer === undefined ? {} : { answer }) };
  return { by: "us", write, ...(answer === undefined ? {} : { version: String(version) }) };
}

function theirs(object: Object, by: Change["by"] = "kube-controller-manager"): Change {
  const isClaim = object.metadata.namespace !== undefined;
  const resource = isClaim ? "persistentvolumeclaims" : "persistentvolumes";
  return { by, resource, key: isClaim ? "team/claim" : "volume", type: "MODIFIED", object };
}

const bound: Trace["events"] = [
  theirs(volume(10, { labels: { a: "b" } }), "people"),
  give(0, 7, 422),
  give(12, 10, 200, volume(12, { spec: { claimRef }, labels: { a: "b" } })),
  theirs(volume(15, { spec: { claimRef }, phase: "Bound", labels: { a: "b" } })),
];

test("a trace that the model allows is replayed to its end", () => {
  const { counts, server } = replay({ trace: { start, events: bound }, residents });
  deepEqual(counts, { stored: 1, vain: 1, residents: 1, people: 1 });
  deepEqual(server.version, 15);
});

const impossible: readonly (readonly [says: string, events: Trace["events"], why: RegExp])[] = [
  [
    "the binder binds a volume that nobody was given",
    [theirs(volume(9, { phase: "Bound" }))],
    /the model forbids MODIFIED/,
  ],
  [
    "the binder gives a volume to a claim that it does not fit",
    [theirs(volume(9, { spec: { claimRef } }))],
    /the model forbids MODIFIED persistentvolumes volume/,
  ],
  [
    "a patch with an old version is accepted",
    [give(9, 3, 200, volume(9, { spec: { claimRef } }))],
    /422 in the model, 200 really/,
  ],
  ["a patch with the right version is refused", [give(0, 7, 422)], /answered 422, and the model never does/],
  ["a write stores something else", [give(9, 7, 200, volume(9, { phase: "Bound" }))], /in the model, .* really/],
];

for (const [says, events, why] of impossible) {
  test(`a trace in which ${says} fails`, () => {
    throws(
      () => replay({ trace: { start, events }, residents }),
      (problem) => problem instanceof Forbidden && why.test(problem.message),
    );
  });
}
