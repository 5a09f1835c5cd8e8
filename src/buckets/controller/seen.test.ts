import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  aBucket,
  aClass,
  aContent,
  aRegistration,
  bucketUid,
  conditions,
  leaving,
  now,
  provisioner,
} from "../../../test/fixture/bucket-seen.ts";
import type { KubeObject, Stored } from "../../api/object.ts";
import { type Indexes, keyOf, storeOf } from "../../kube/cache/store.ts";
import type { Sources } from "../../runtime/sources.ts";
import { type Heard, observe, type Seen, secretCheckSeconds } from "./seen.ts";
import { bucketWatches, uidIn } from "./watches.ts";

const fail = (problem: unknown): never => {
  throw problem;
};

/** The real caches, with these objects in them. */
function watchesOn(objects: Readonly<Record<string, readonly Stored<KubeObject>[]>>) {
  const sources = {
    watch(resource: { readonly plural: string }, { indexes = {} }: { readonly indexes?: Indexes<Stored<KubeObject>> }) {
      const cache = storeOf(indexes, fail);
      cache.replace(new Map((objects[resource.plural] ?? []).map((one) => [keyOf(one), one])), "1");
      return { cache };
    },
  } as unknown as Sources;
  return bucketWatches(sources);
}

const key = `team-a/${bucketUid}`;
const looked = (
  objects: Parameters<typeof watchesOn>[0],
  {
    at = key,
    reply,
    heard = new Map<string, Heard>(),
  }: { at?: string; reply?: unknown; heard?: Map<string, Heard> } = {},
): Seen | undefined =>
  observe(
    {
      watches: watchesOn({ bucketclasses: [aClass()], cosiregistrations: [aRegistration()], ...objects }),
      begun: now,
      heard,
    },
    at,
    { now, reply },
  );

test("a Bucket is seen with its content, its class and its driver", () => {
  const [bucket, content] = [aBucket(), aContent()];
  const seen = looked({ buckets: [bucket], bucketcontents: [content] });
  deepEqual([seen?.bucket, seen?.content, seen?.namesake], [bucket, content, undefined]);
  deepEqual([seen?.bucketClass?.metadata.name, seen?.driver?.metadata.name], ["gold", provisioner]);
});

test("where nothing is, nothing is seen", () => equal(looked({}), undefined));

test("a content whose Bucket is gone is seen without it", () => {
  const seen = looked({ bucketcontents: [aContent()] });
  deepEqual([seen?.bucket, seen?.content?.metadata.name], [undefined, aContent().metadata.name]);
});

const elsewhere = { namespace: "team-b", name: "photos", uuid: bucketUid };
const forged: readonly (readonly [says: string, content: ReturnType<typeof aContent>])[] = [
  ["of a Bucket in another namespace", aContent({ spec: { bucketRef: elsewhere } })],
  [
    "of a Bucket of another name",
    aContent({ spec: { bucketRef: { ...elsewhere, namespace: "team-a", name: "films" } } }),
  ],
  ["of another uid", aContent({ spec: { bucketRef: { ...elsewhere, namespace: "team-a", uuid: "another" } } })],
];

for (const [says, content] of forged)
  test(`a content ${says} that has the name of its own is a namesake and no content of it`, () => {
    const seen = looked({ buckets: [aBucket()], bucketcontents: [content] });
    deepEqual([seen?.content, seen?.namesake], [undefined, content]);
    // Whoever waits for the name is woken by its change.
    equal(uidIn(content), bucketUid);
  });

test("a content under another name that says it is this Bucket's is none of it while the Bucket stays", () => {
  const stray = aContent({ metadata: { name: "gold-stray", uid: "stray" } });
  equal(looked({ buckets: [aBucket()], bucketcontents: [stray] })?.content, undefined);
  const both = looked({ buckets: [aBucket()], bucketcontents: [stray, aContent()] });
  equal(both?.content?.metadata.uid, aContent().metadata.uid);
});

test("it is put away when the Bucket goes, after its own", () => {
  const stray = aContent({ metadata: { name: "gold-stray", uid: "stray" } });
  const bucket = aBucket({ metadata: leaving });
  equal(
    looked({ buckets: [bucket], bucketcontents: [stray, aContent()] })?.content?.metadata.uid,
    aContent().metadata.uid,
  );
  equal(looked({ buckets: [bucket], bucketcontents: [stray] })?.content?.metadata.uid, "stray");
});

test("a content that names the Bucket's uid in another namespace is looked at by itself, as one without a Bucket", () => {
  const content = aContent({ metadata: { name: "gold-forged" }, spec: { bucketRef: elsewhere } });
  const seen = looked({ buckets: [aBucket()], bucketcontents: [content] }, { at: `team-b/${bucketUid}` });
  deepEqual([seen?.bucket, seen?.content], [undefined, content]);
});

test("what was heard of a driver counts for its registration and for none after that", () => {
  const one = { of: "registration-uid", at: now, renewedAt: now };
  const objects = { buckets: [aBucket()], bucketcontents: [aContent()] };
  equal(looked(objects, { heard: new Map([[provisioner, one]]) })?.heard, one);
  equal(looked(objects, { heard: new Map([[provisioner, { ...one, of: "before" }]]) })?.heard, undefined);
});

test("what a step has answered is seen, and is nothing to another step", () => {
  const objects = { buckets: [aBucket()] };
  equal(looked(objects, { reply: { publishedAt: now } })?.publishedAt, now);
  deepEqual(
    [looked(objects)?.secretIsGone, looked(objects, { reply: { secretIsGone: true } })?.secretIsGone],
    [false, true],
  );
});

test("after a restart the Secrets of all Buckets are looked at again within ten minutes, each in a moment of its own", () => {
  const status = { conditions: conditions({ SecretPublished: true } as never) };
  const ago = (uid: string) => {
    const seen = looked({ buckets: [aBucket({ metadata: { uid }, status })] }, { at: `team-a/${uid}` });
    return (now.getTime() - (seen?.publishedAt ?? new Date(0)).getTime()) / 1000;
  };
  deepEqual([ago("0000-x"), ago("ffff-x")], [0, secretCheckSeconds]);
  equal(Math.round(ago(bucketUid)), 27);
});
