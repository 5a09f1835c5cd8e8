import { equal } from "node:assert/strict";
import { test } from "node:test";
import { isNamespaceName, isObjectName, leaseNameOf } from "./names.ts";

const leases = [
  ["hostpath.csi.k8s.io", "hostpath-csi-k8s-io"],
  ["Example.com/odd_driver", "Example-com-odd-driver"],
  ["already-fine", "already-fine"],
] as const;

for (const [driver, lease] of leases) {
  test(`the provisioners of ${driver} share the Lease ${lease}`, () => equal(leaseNameOf(driver), lease));
}

const names = [
  ["a", true, true],
  ["a-1", true, true],
  ["a.b", false, true],
  ["a..b", false, false],
  ["-a", false, false],
  ["a-", false, false],
  ["A", false, false],
  ["a_b", false, false],
  ["", false, false],
  ["x".repeat(63), true, true],
  ["x".repeat(64), false, true],
  ["x".repeat(253), false, true],
  ["x".repeat(254), false, false],
] as const;

for (const [text, ofNamespace, ofObject] of names) {
  test(`"${text}" as a name`, () => {
    equal(isNamespaceName(text), ofNamespace);
    equal(isObjectName(text), ofObject);
  });
}
