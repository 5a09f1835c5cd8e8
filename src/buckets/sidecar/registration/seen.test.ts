import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { aRegistration, now, provisioner } from "../../../../test/fixture/bucket-seen.ts";
import { storeOf } from "../../../kube/cache/store.ts";
import { type Asked, isAsWished, isOurs, observe, type Registration } from "./seen.ts";

const fail = (problem: unknown): never => {
  throw problem;
};
const ours = aRegistration();

function looked(found: Registration | undefined, reply?: Asked) {
  const registrations = storeOf<Registration>({}, fail);
  registrations.replace(new Map(found === undefined ? [] : [[provisioner, found]]), "1");
  return observe({ registrations, wished: ours.spec, since: now }, provisioner, { now, reply });
}

test("what the other one's Lease said counts for that registration, and for none that came after", () => {
  const asked: Asked = { at: now, version: ours.metadata.resourceVersion, renewedAt: undefined };
  equal(looked(ours, asked).asked, asked);
  equal(looked(ours, { ...asked, version: "older" }).asked, undefined);
  equal(looked(undefined, asked).asked, undefined);
});

test("a registration is ours by its instance, whatever else it says", () => {
  const newer = { ...ours, spec: { ...ours.spec, version: "2", namespace: "elsewhere" } };
  deepEqual([isOurs(newer, ours.spec), isAsWished(newer, ours.spec)], [true, false]);
  deepEqual([isOurs(ours, ours.spec), isAsWished(ours, ours.spec)], [true, true]);
  equal(isOurs({ ...ours, spec: { ...ours.spec, instanceID: "elsewhere/cosi-sidecar" } }, ours.spec), false);
});
