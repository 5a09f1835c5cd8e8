import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { aBucket, aBucketSeen, aContent, bucketUid, made, provisioner } from "../../../test/fixture/bucket-seen.ts";
import { caseOf } from "../../api/buckets/class-case.ts";
import type { BucketClass, BucketContentSpec } from "../../api/gen/cosi.ts";
import { objectionTo } from "./gates.ts";
import { notesOnRelease } from "./notes.ts";

const said = (mode: Parameters<typeof aContent>[0], bucket: ReturnType<typeof aBucket> | undefined = aBucket()) =>
  notesOnRelease(aBucketSeen({ bucket, content: aContent(mode) }));

/** The class at the end of the message, as kubectl would read it. */
function classIn(spec: Partial<BucketContentSpec>) {
  const note = said({ mode: "Retained", spec: { ...made, ...spec } }).at(-1);
  const text = note?.message.replace(/^.*opens it again: /, "") ?? "";
  return { text, bucketClass: load(text) as BucketClass & { readonly apiVersion: string; readonly kind: string } };
}

test("a bucket that is kept is told as a class that opens it again, ready to be applied", () => {
  const { bucketClass } = classIn({ accessModes: ["ro"], supportedProtocols: ["s3"], parameters: { region: "eu" } });
  deepEqual(bucketClass, {
    apiVersion: "cosi.io/v1alpha1",
    kind: "BucketClass",
    metadata: { name: `gold-again-${bucketUid.slice(0, 8)}` },
    provisioner,
    bucketIdentifier: made.bucketIdentifier,
    releasePolicy: "Retain",
    accessMode: "ro",
    supportedProtocols: ["s3"],
    parameters: { region: "eu" },
  });
  equal(caseOf(bucketClass).is, "Brownfield");
});

test("its user is told the same without what the class says to the driver", () => {
  const parameters = { pool: "nvme", "cosi.io/secret-format": "aws" };
  const [toUser, toAdmin] = said({ mode: "Retained", spec: { ...made, parameters } });
  deepEqual([toUser?.resource.plural, toAdmin?.resource.plural], ["buckets", "bucketcontents"]);
  match(toUser?.message ?? "", /opens it again: .*"parameters":\{"cosi.io\/secret-format":"aws"\}\}$/);
  match(toAdmin?.message ?? "", /"parameters":\{"pool":"nvme","cosi.io\/secret-format":"aws"\}\}$/);
});

test("no word of it is read as something else than a word", () => {
  const { bucketClass } = classIn({ bucketIdentifier: "null: {}\n# no", provisioner: "123", bucketClassName: "true" });
  deepEqual(
    [bucketClass.bucketIdentifier, bucketClass.provisioner, bucketClass.metadata.name],
    ["null: {}\n# no", "123", `true-again-${bucketUid.slice(0, 8)}`],
  );
});

test("limits are left out of it: a bucket that exists keeps its own, and such a class would be refused", () => {
  const { bucketClass } = classIn({ parameters: { maxSizePerBucket: "1Gi" } });
  equal(bucketClass.parameters, undefined);
  equal(objectionTo({ ...bucketClass, metadata: { name: "x", uid: "x", resourceVersion: "1" } }), undefined);
});

test("a long class has a legal name, and what is needed least is left out before an Event would be cut", () => {
  const bucketClassName = `${"c".repeat(237)}.${"d".repeat(15)}`;
  const { bucketClass } = classIn({ bucketClassName });
  match(bucketClass.metadata.name ?? "", /^c{237}-again-[0-9a-f]{8}$/);
  const { text } = classIn({ parameters: { policy: "x".repeat(2000) } });
  ok(text.length < 900);
  equal((load(text) as BucketClass).bucketIdentifier, made.bucketIdentifier);
});

test("each end is told for what it is", () => {
  const of = (options: Parameters<typeof aContent>[0]) => said(options).map(({ reason }) => reason);
  deepEqual(of({ mode: "Greenfield", spec: made }), ["BucketDeleted"]);
  deepEqual(of({ mode: "Retained", spec: made }), ["BucketRetained", "BucketRetained"]);
  deepEqual(of({ mode: "Brownfield" }), ["BucketRetained"]);
  deepEqual(of({ mode: "Static" }), []);
  // Nobody ever had a key to it.
  deepEqual(of({ mode: "Retained" }), []);
});

test("who has lost the Bucket reads it on the content", () => {
  const [note] = notesOnRelease(
    aBucketSeen({ bucket: undefined, content: aContent({ mode: "Retained", spec: made }) }),
  );
  deepEqual([note?.resource.plural, note?.object.metadata.name], ["bucketcontents", aContent().metadata.name]);
});
