import { deepEqual, rejects } from "node:assert/strict";
import { test } from "node:test";
import { aBucket, aBucketSeen, aContent, held, leaving } from "../../../test/fixture/bucket-seen.ts";
import { bucketContents } from "../../api/gen/cosi.ts";
import type { Resource } from "../../api/object.ts";
import type { Hand } from "../../runtime/hand.ts";
import { Overtaken } from "../../runtime/must.ts";
import type { Step } from "./rules.ts";
import { act } from "./steps.ts";

/** A Bucket that goes, seen through a list that shows no content; what the server itself has is another matter. */
async function taken(step: Step, stored: ReturnType<typeof aContent> | undefined): Promise<readonly string[]> {
  const written: string[] = [];
  const write = async (resource: Resource) => void written.push(resource.plural);
  const find = async (resource: Resource) => (resource === (bucketContents as Resource) ? stored : undefined);
  const hand: unknown = { live: { find }, delete: write, patch: write, signal: new AbortController().signal };
  const seen = aBucketSeen({ bucket: aBucket({ metadata: { ...held, ...leaving } }), content: undefined });
  await act(step, seen, hand as Hand, new Map());
  return written;
}

for (const step of ["remove-secret", "let-bucket-go"] as const)
  test(`${step}: what a list that is behind does not show is asked of the server, and nothing is taken away`, async () => {
    await rejects(taken(step, aContent()), Overtaken);
  });

test("when the content is really gone, the Bucket is let go", async () => {
  deepEqual(await taken("remove-secret", undefined), []);
  deepEqual(await taken("let-bucket-go", undefined), ["buckets"]);
});
