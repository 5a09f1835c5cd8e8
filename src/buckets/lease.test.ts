import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { renewedAt } from "./lease.ts";

const lease = (spec: object) => ({ metadata: { name: "cosi-s3.example.com" }, spec });
const renewTime = "2026-11-18T12:00:00.000000Z";

test("a Lease tells when its holder last said that it lives", () => {
  deepEqual(renewedAt(lease({ holderIdentity: "sidecar-0", renewTime })), new Date("2026-11-18T12:00:00Z"));
});

test("a Lease that is not there, has been let go or was never renewed tells of nobody", () => {
  equal(renewedAt(undefined), undefined);
  equal(renewedAt(lease({ holderIdentity: "", renewTime })), undefined);
  equal(renewedAt(lease({ renewTime })), undefined);
  equal(renewedAt(lease({ holderIdentity: "sidecar-0" })), undefined);
});
