import { accountName, contentName } from "../../../src/api/buckets/names.ts";
import { namespaces } from "../../../src/api/gen/core.ts";
import { bucketClasses, bucketContents, buckets } from "../../../src/api/gen/cosi.ts";
import { holds } from "../../../src/buckets/content.ts";
import type { Client } from "../../../src/kube/client.ts";
import { randomWord } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";
import { drop } from "./drop.ts";

/**
 * Contents of a third driver that is nowhere: one that nobody has begun with, and one that is to be taken back. Every
 * sidecar that cares for what is not its own would make a bucket, or take one back, in the wrong store.
 */
export async function layTraps(admin: Client, undo: AsyncDisposableStack): Promise<void> {
  const word = `trap-${randomWord()}`;
  await admin.create(namespaces, { metadata: { name: word } });
  await admin.create(bucketClasses, { metadata: { name: word }, provisioner: `${word}.test.portway.dev` });
  await trapped(admin, word, "waiting");
  const { name: leaving, uid } = await trapped(admin, word, "leaving");
  const begun = { type: "ProvisioningStarted", status: "True", reason: "Settled", message: "", lastTransitionTime };
  const status = { conditions: [begun], accounts: [{ name: accountName(uid, 0), state: "Pending" }] };
  await admin.merge(bucketContents, { name: leaving }, { status }, { subresource: "status" });
  await drop(admin, buckets, { namespace: word, name: "leaving" });
  await until("the trap is laid", async () => {
    const content = await admin.get(bucketContents, { name: leaving });
    return content.metadata.deletionTimestamp !== undefined && holds(content, "BucketLeaving");
  });
  undo.defer(async () => {
    await drop(admin, buckets, { namespace: word, name: "waiting" });
    await admin.merge(bucketContents, { name: leaving }, { metadata: { finalizers: [] } });
    for (const name of ["waiting", "leaving"])
      await until("the trap is gone", async () => (await admin.find(buckets, { namespace: word, name })) === undefined);
    for (const resource of [namespaces, bucketClasses]) await drop(admin, resource, { name: word });
  });
}

const lastTransitionTime = new Date(0).toISOString();

async function trapped(admin: Client, word: string, bucket: string) {
  const spec = { bucketClassName: word, secretName: "keys" };
  const { uid } = (await admin.create(buckets, { metadata: { namespace: word, name: bucket }, spec })).metadata;
  const name = contentName(word, uid);
  await until("the trap has a content", async () => (await admin.find(bucketContents, { name })) !== undefined);
  return { name, uid: (await admin.get(bucketContents, { name })).metadata.uid };
}
