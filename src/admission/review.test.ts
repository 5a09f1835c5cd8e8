import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { assert, constantFrom, dictionary, option, property, record, string, uniqueArray } from "fast-check";
import type { PersistentVolumeClaim } from "../api/gen/core.ts";
import type { Metadata } from "../api/object.ts";
import { acceptAnnotations, giveAnnotations, holdFinalizer, holdSelector } from "../api/transfer/names.ts";
import type { Operation } from "../kube/json-patch.ts";
import { type AdmissionRequest, review } from "./review.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };
const protection = "kubernetes.io/pvc-protection";

function aClaim(metadata: Metadata = {}, spec: PersistentVolumeClaim["spec"] = {}): PersistentVolumeClaim {
  return { metadata: { namespace: "a", name: "data", ...metadata }, spec };
}

function created(object: PersistentVolumeClaim): AdmissionRequest {
  return { uid: "1", operation: "CREATE", resource: claims, object, oldObject: null };
}

function changed(oldObject: PersistentVolumeClaim, object: PersistentVolumeClaim): AdmissionRequest {
  return { uid: "1", operation: "UPDATE", resource: claims, object, oldObject };
}

const plain = aClaim({ finalizers: [protection] });
const given = (value = "b/data", name: string = giveAnnotations[0], more: Metadata = {}) =>
  aClaim({ finalizers: [protection], annotations: { [name]: value }, ...more });
const accepting = (spec: PersistentVolumeClaim["spec"] = {}, name: string = acceptAnnotations[0]) =>
  aClaim({ annotations: { [name]: "a/data" } }, spec);

const hold: Operation = { op: "add", path: "/metadata/finalizers/-", value: holdFinalizer };
const wait: Operation = { op: "add", path: "/spec/selector", value: { matchLabels: holdSelector } };

const cases: readonly (readonly [says: string, request: AdmissionRequest, patch: readonly Operation[]])[] = [
  ["a give puts the hold on", changed(plain, given()), [hold]],
  ["so does our own word for it", changed(plain, given("b/data", giveAnnotations[1])), [hold]],
  ["a give to somebody else does, too", changed(given("b/data"), given("c/data")), [hold]],
  ["a claim that is made with a give is held", created(given()), [hold]],
  [
    "a claim without finalizers gets a list",
    created(aClaim({ annotations: { transferRequest: "b/data" } })),
    [{ op: "add", path: "/metadata/finalizers", value: [holdFinalizer] }],
  ],
  [
    "a hold that is there is enough",
    changed(plain, given("b/data", giveAnnotations[0], { finalizers: [holdFinalizer] })),
    [],
  ],
  [
    "a claim that is being deleted can be given, without a hold",
    changed(plain, given("b/data", giveAnnotations[0], { deletionTimestamp: "2026-01-01T00:00:00Z" })),
    [],
  ],
  ["a given claim is written by others without us", changed(given(), given()), []],
  ["a give is withdrawn without us", changed(given(), plain), []],
  ["a plain claim is nothing to us", created(aClaim()), []],
  ["a new claim that accepts gets the selector", created(accepting()), [wait]],
  ["so does our own word for it", created(accepting({}, acceptAnnotations[1])), [wait]],
  [
    "expressions of its owner stay",
    created(accepting({ selector: { matchExpressions: [{ key: "disk", operator: "Exists" }] } })),
    [{ op: "add", path: "/spec/selector/matchLabels", value: holdSelector }],
  ],
  [
    "labels of its owner stay",
    created(accepting({ selector: { matchLabels: { disk: "fast" } } })),
    [{ op: "add", path: "/spec/selector/matchLabels/transfer.portway.dev~1awaits", value: "hand-over" }],
  ],
  ["a selector that is there is enough", created(accepting({ selector: { matchLabels: holdSelector } })), []],
  ["a claim that accepts later keeps its spec, which cannot change", changed(plain, accepting()), []],
  [
    "a claim that accepts and gives gets both",
    created(aClaim({ finalizers: [], annotations: { transferAccept: "a/data", transferRequest: "c/data" } })),
    [hold, wait],
  ],
  ["other kinds are nothing to us", { ...created(given()), resource: { group: "", resource: "pods" } }, []],
  [
    "a deletion is nothing to us",
    { uid: "1", operation: "DELETE", resource: claims, object: null, oldObject: given() },
    [],
  ],
];

for (const [says, request, patch] of cases) {
  test(says, () => deepEqual(review(request), { allowed: true, patch }));
}

const anyClaim = record({
  finalizers: option(uniqueArray(constantFrom(protection, holdFinalizer, "example.dev/x")), { nil: undefined }),
  annotations: dictionary(constantFrom(...giveAnnotations, ...acceptAnnotations, "note"), string()),
  labels: option(dictionary(constantFrom("disk", ...Object.keys(holdSelector)), string()), { nil: undefined }),
}).map(({ finalizers, annotations, labels }) =>
  aClaim(
    { annotations, ...(finalizers === undefined ? {} : { finalizers }) },
    labels === undefined ? {} : { selector: { matchLabels: labels } },
  ),
);

/** As much of a JSON patch as a review writes. */
function patched(claim: PersistentVolumeClaim, patch: readonly Operation[]): PersistentVolumeClaim {
  const whole = structuredClone(claim) as unknown as Record<string, unknown>;
  for (const operation of patch) {
    if (operation.op !== "add") throw new Error(`${operation.op} is never written`);
    const steps = operation.path
      .slice(1)
      .split("/")
      .map((step) => step.replaceAll("~1", "/"));
    const last = steps.pop() ?? "";
    let parent: Record<string, unknown> = whole;
    for (const step of steps) parent = parent[step] as Record<string, unknown>;
    if (Array.isArray(parent)) (parent as unknown[]).push(operation.value);
    else parent[last] = operation.value;
  }
  return whole as unknown as PersistentVolumeClaim;
}

test("whatever the claim, a second look at what came out changes nothing more", () => {
  assert(
    property(anyClaim, (claim) => {
      const after = patched(claim, review(created(claim)).patch);
      deepEqual(review(created(after)).patch, []);
      const isGiven = giveAnnotations.some((name) => claim.metadata.annotations?.[name] !== undefined);
      const wasHeld = claim.metadata.finalizers?.includes(holdFinalizer) === true;
      equal(after.metadata.finalizers?.filter((one) => one === holdFinalizer).length ?? 0, isGiven || wasHeld ? 1 : 0);
      const others = (finalizers: readonly string[] = []) => finalizers.filter((one) => one !== holdFinalizer);
      deepEqual(others(after.metadata.finalizers), others(claim.metadata.finalizers), "those of others stay");
    }),
  );
});
