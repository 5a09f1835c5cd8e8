import { equal } from "node:assert/strict";
import { test } from "node:test";
import { controllerOf, makes } from "./template.ts";

const web = {
  metadata: { name: "web-app", namespace: "shop", uid: "u", resourceVersion: "1" },
  spec: { selector: {}, volumeClaimTemplates: [{ metadata: { name: "data" } }, { metadata: { name: "log" } }] },
};

for (const [claim, isMade] of [
  ["data-web-app-0", true],
  ["log-web-app-12", true],
  ["data-web-app", false],
  ["data-web-app-x", false],
  ["data-web-0", false],
  ["cache-web-app-0", false],
  ["web-app-0", false],
] as const) {
  test(`a StatefulSet with the templates data and log ${isMade ? "makes" : "does not make"} the claim ${claim}`, () => {
    equal(makes(web, claim), isMade);
  });
}

test("a StatefulSet without templates makes no claims", () => {
  equal(makes({ ...web, spec: { selector: {} } }, "data-web-app-0"), false);
});

test("whoever controls a claim owns it; a bystander among its owners does not", () => {
  const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "u" };
  equal(
    controllerOf({ metadata: { ownerReferences: [owner, { ...owner, name: "db", controller: true }] } }),
    "StatefulSet db",
  );
  equal(controllerOf({ metadata: { ownerReferences: [owner] } }), undefined);
  equal(controllerOf({ metadata: {} }), undefined);
});
