import type { TestContext } from "node:test";
import {
  type Bucket,
  type BucketClass,
  type BucketContent,
  type BucketContentSpec,
  bucketContents,
  type COSIRegistration,
  type COSIRegistrationSpec,
} from "../../src/api/gen/cosi.ts";
import type { Stored } from "../../src/api/object.ts";
import type { Client } from "../../src/kube/client.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { randomWord } from "../fixture/client.ts";

/* The four kinds as somebody writes them. People write anything, so fields may be of no use. */

export const nobodysDriver = "none.test.portway.dev";

export function aClass(fields: object = { provisioner: nobodysDriver }): BucketClass {
  return { metadata: { name: `t-${randomWord()}` }, ...fields };
}

export function aBucket(namespace: string, spec: object = {}): Bucket {
  return {
    metadata: { namespace, name: "photos" },
    spec: { bucketClassName: "gold", secretName: "photos-keys", ...spec },
  };
}

/** Of a Bucket that is not there. */
export function aContent(spec: object = {}): BucketContent {
  const bucketRef = { name: "photos", namespace: "nowhere", uuid: "0b5a1f3e-9c1d-4a57-8f0e-2d6b3c4a5e6f" };
  const plain: BucketContentSpec = {
    mode: "Greenfield",
    provisioner: nobodysDriver,
    releasePolicy: "Delete",
    bucketClassName: "gold",
    bucketRef,
  };
  return { metadata: { name: `t-${randomWord()}` }, spec: { ...plain, ...spec } };
}

export function aRegistration(driverName: string, spec: Partial<COSIRegistrationSpec> = {}): COSIRegistration {
  const plain = {
    driverName,
    instanceID: "somebody",
    namespace: "default",
    leaseName: `cosi-${driverName}`,
    wire: ["w"],
  };
  return { metadata: { name: driverName }, spec: { ...plain, ...spec } };
}

/** A content that nobody works on; it goes with the test, if nobody has put it away by then. */
export async function newContent(t: TestContext, admin: Client, spec: object = {}): Promise<Stored<BucketContent>> {
  const made = await admin.create(bucketContents, aContent(spec));
  const { name, uid } = made.metadata;
  t.after(async () => {
    await admin.delete(bucketContents, { name, uid }).catch((problem: unknown) => {
      if (!(problem instanceof ApiError && problem.isNotFound)) throw problem;
    });
  });
  return made;
}
