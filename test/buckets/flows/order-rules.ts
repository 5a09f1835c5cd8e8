import type { BucketContent } from "../../../src/api/gen/cosi.ts";
import type { Stored } from "../../../src/api/object.ts";
import { holds } from "../../../src/buckets/content.ts";
import type { Operation } from "../../../src/kube/json-patch.ts";
import { inWords, type OrderRule } from "../../faults/order.ts";
import type { WriteRecord } from "../../faults/proxy/write-record.ts";

type Kind = (write: WriteRecord) => boolean;

const of =
  (verb: WriteRecord["verb"], resource: string, subresource?: string): Kind =>
  (write) =>
    write.verb === verb && write.resource === resource && write.subresource === subresource;
const both =
  (...kinds: readonly Kind[]): Kind =>
  (write) =>
    kinds.every((is) => is(write));
const changes =
  (path: RegExp, op: Operation["op"]): Kind =>
  ({ body }) =>
    Array.isArray(body) && (body as readonly Operation[]).some((one) => one.op === op && path.test(one.path));
const says =
  (condition: Parameters<typeof holds>[1]): Kind =>
  ({ body }) => {
    const status = (body as readonly { readonly path: string; readonly value?: unknown }[]).find(
      ({ path }) => path === "/status",
    )?.value;
    return status !== undefined && holds({ status } as Stored<BucketContent>, condition);
  };

const isFinalizer = /^\/metadata\/finalizers/;
export const tellsContent = of("patch", "bucketcontents", "status");
export const tellsRelease = both(tellsContent, says("Released"));

/** Once the one is ever written, the other one waits for its answer. */
function first(id: string, what: string, before: Kind, after: Kind): OrderRule {
  return {
    id,
    says: what,
    broken(log) {
      const stored = log.filter((write) => before(write) && (write.code ?? 500) < 300);
      const earliest = Math.min(...stored.map(({ answeredAt = Number.POSITIVE_INFINITY }) => answeredAt));
      if (stored.length === 0) return [];
      return log
        .filter((write) => after(write) && write.at < earliest)
        .map((write) => `${inWords(write)} came before that was stored`);
    },
  };
}

/** The same writes are never there at all: it is not enough that what is to come first comes later. */
function needs(id: string, what: string, before: Kind, after: Kind): OrderRule {
  const ordered = first(id, what, before, after);
  return {
    ...ordered,
    broken(log) {
      const isMissing = !log.some((write) => before(write) && (write.code ?? 500) < 300);
      const late = log.filter((write) => after(write) && (write.code ?? 500) < 300);
      return isMissing ? late.map((write) => `${inWords(write)} was stored without that`) : ordered.broken(log);
    },
  };
}

export const orderOfController: readonly OrderRule[] = [
  needs(
    "B8",
    "a Bucket is held before its content is made",
    both(of("patch", "buckets"), changes(isFinalizer, "add")),
    of("create", "bucketcontents"),
  ),
  first("B3", "a Secret is there before anybody is told", of("create", "secrets"), both(tellsContent, says("Bound"))),
  first(
    "B3",
    "the content is gone before the user's Secret, and both before the Bucket",
    both(of("patch", "bucketcontents"), changes(isFinalizer, "remove")),
    of("delete", "secrets"),
  ),
  first(
    "B3",
    "the user's Secret is gone before the Bucket",
    of("delete", "secrets"),
    both(of("patch", "buckets"), changes(isFinalizer, "remove")),
  ),
  first(
    "B2",
    "the content goes, and its driver is told so, before it is let go",
    of("delete", "bucketcontents"),
    both(of("patch", "bucketcontents"), changes(isFinalizer, "remove")),
  ),
];

export const orderOfSidecar: readonly OrderRule[] = [
  needs(
    "B1",
    "it is stored that it begins before a Secret is",
    both(tellsContent, says("ProvisioningStarted")),
    of("create", "secrets"),
  ),
  first(
    "B3",
    "the Secret is stored before the content points at it",
    of("create", "secrets"),
    both(of("patch", "bucketcontents"), changes(/^\/spec\/secretRef$/, "add")),
  ),
  first("B3", "the Secret is gone before the release is told", of("delete", "secrets"), tellsRelease),
];
