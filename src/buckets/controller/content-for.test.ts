import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { aBucket, aClass, bucketUid, classFields, provisioner } from "../../../test/fixture/bucket-seen.ts";
import { bucketFinalizer } from "../../api/buckets/names.ts";
import { contentFor } from "./content-for.ts";

const bucketRef = { name: "photos", namespace: "team-a", uuid: bucketUid, resourceVersion: "7" };
const common = { bucketClassName: "gold", bucketRef, releasePolicy: "Retain" } as const;

test("a content bears the name, the label and the hold that follow from its Bucket and its class", () => {
  const { metadata } = contentFor(aBucket(), aClass());
  deepEqual(metadata, {
    name: `gold-${bucketUid}`,
    labels: { "cosi.io/provisioner": provisioner },
    finalizers: [bucketFinalizer],
  });
});

test("of a class without anything else a new bucket is asked for, and goes as the class says", () => {
  const greenfield = { mode: "Greenfield", provisioner, bucketName: bucketUid } as const;
  deepEqual(contentFor(aBucket(), aClass()).spec, { ...common, ...greenfield, releasePolicy: "Delete" });
  deepEqual(contentFor(aBucket(), aClass(classFields.Retained)).spec, { ...common, ...greenfield });
  deepEqual(contentFor(aBucket(), aClass({ provisioner })).spec, { ...common, ...greenfield });
});

test("of a class with an identifier that bucket is captured, by either name of the field, and no name for a new one", () => {
  const brownfield = { ...common, mode: "Brownfield", provisioner, bucketIdentifier: "films" };
  const bucket = aBucket({ spec: { bucketPrefix: "ignored-" } });
  deepEqual(contentFor(bucket, aClass(classFields.Brownfield)).spec, brownfield);
  deepEqual(contentFor(bucket, aClass({ provisioner, objectBucketName: "films" })).spec, brownfield);
});

test("of a class with a Secret that Secret is captured, and there is no driver and no label", () => {
  const { metadata, spec } = contentFor(aBucket(), aClass(classFields.Static));
  deepEqual(spec, { ...common, mode: "Static", secretRef: classFields.Static.secretRef });
  deepEqual(metadata.labels, {});
});

test("everything a driver is told is captured: its class may be another one when the bucket goes", () => {
  const told = {
    accessMode: "ro",
    supportedProtocols: ["s3"],
    parameters: { region: "eu", maxSizePerBucket: "1Gi" },
  } as const;
  const { accessModes, supportedProtocols, parameters } = contentFor(aBucket(), aClass({ provisioner, ...told })).spec;
  deepEqual(
    { accessModes, supportedProtocols, parameters },
    { accessModes: ["ro"], supportedProtocols: told.supportedProtocols, parameters: told.parameters },
  );
});

test("a prefix is written in lower case and cut, so that nothing of the uid is", () => {
  const nameOf = (bucketPrefix: string) => contentFor(aBucket({ spec: { bucketPrefix } }), aClass()).spec.bucketName;
  equal(nameOf("YosemitePhotos-"), `yosemitephotos-${bucketUid}`);
  equal(nameOf("P".repeat(40)), `${"p".repeat(27)}${bucketUid}`);
});
