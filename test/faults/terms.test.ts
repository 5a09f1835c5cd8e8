import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import type { WriteRecord } from "./proxy/write-record.ts";
import { outsideItsTerm } from "./terms.ts";

const bare = { dryRun: false, userAgent: "x", preconditions: { tests: [] }, body: undefined, delivered: true };

function lease(at: number, holderIdentity: string): WriteRecord {
  const answer = { metadata: { name: "one", resourceVersion: String(at) }, spec: { holderIdentity } };
  return { ...bare, n: 0, at, verb: "update", group: "coordination.k8s.io", resource: "leases", upkeep: true, answer };
}

function write(at: number): WriteRecord {
  return { ...bare, n: 1, at, verb: "patch", group: "", resource: "pods", name: "p", upkeep: false, code: 200 };
}

const first = (...log: readonly WriteRecord[]) => ({ identity: "first", log });
const second = (...log: readonly WriteRecord[]) => ({ identity: "second", log });

test("each in its own term is as it should be, and a renewal begins no new one", () => {
  const a = first(lease(1, "first"), write(2), lease(3, "first"), write(4));
  deepEqual(outsideItsTerm([a, second(lease(5, "second"), write(6))]), []);
});

test("a write after the other took over is named", () => {
  const a = first(lease(1, "first"), write(6));
  deepEqual(outsideItsTerm([a, second(lease(5, "second"))]), [
    "G9 first wrote in the term of second: #1 patch pods/p (200)",
  ]);
});

test("so is one before anybody held it, and one after it was given back", () => {
  deepEqual(outsideItsTerm([first(write(1), lease(2, "first"), lease(3, ""), write(4))]), [
    "G9 first wrote in the term of nobody: #1 patch pods/p (200)",
    "G9 first wrote in the term of nobody: #1 patch pods/p (200)",
  ]);
});
