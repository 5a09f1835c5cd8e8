import { deepEqual, equal, match } from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";
import { loadAll } from "js-yaml";
import { testCertificate } from "../../../test/fixture/certificate.ts";
import type { Journal } from "../../api/transfer/journal.ts";
import type { Finding } from "./finding.ts";
import { bundleTrouble } from "./hold.ts";
import { policyFinding, policyNames } from "./installed.ts";
import { journalFinding } from "./journals.ts";
import { leaseFinding } from "./lease.ts";
import { rightFinding } from "./rights.ts";
import { versionFinding } from "./server.ts";

const now = new Date("2026-01-01T12:00:00Z");
const metadata = { name: "portway-consent" };
const denies = { metadata, spec: { policyName: metadata.name, validationActions: ["Deny"] } };
const leaseOf = (spec: object) => ({ metadata: { name: "portway-transfer" }, spec });

const volume = { metadata: { name: "pv-1", uid: "v", resourceVersion: "1" }, status: { phase: "Released" as const } };
const journal: Journal = {
  v: 1,
  id: "op-1",
  volumeUID: "v",
  source: { namespace: "a", namespaceUID: "n", name: "foo", uid: "s" },
  target: { namespace: "b", namespaceUID: "m", name: "bar" },
  request: { name: "r", uid: "u" },
  approval: { name: "y", uid: "w" },
  policy: "Delete",
  boundByController: false,
  claim: { accessModes: ["ReadWriteOnce"], storage: "1Gi", storageClassName: "" },
  startedAt: "2026-01-01T11:00:00Z",
};
const waits = { phase: "Transferring", reason: "SourceLeaving", message: "Held by a pod.", hasEnded: false };
const patient = { now, stuckAfterSeconds: 7200 };
const impatient = { now, stuckAfterSeconds: 600 };
const nothing: Finding = { about: "", is: "ok", says: "nothing is told" };
const told = (finding: Finding | undefined) => finding ?? nothing;

const cases: readonly (readonly [says: string, finding: Finding, is: Finding["is"], words: RegExp])[] = [
  ["a server of today", versionFinding("v1.36.4", "0.1.0"), "ok", /v1\.36\.4.*0\.1\.0/],
  ["the oldest server", versionFinding("v1.33.0-gke.1", "0.1.0"), "ok", /./],
  ["a server that is too old", versionFinding("v1.32.9", "0.1.0"), "fault", /tested with 1\.33 and newer/],
  ["a server of the next epoch", versionFinding("v2.0.0", "0.1.0"), "ok", /./],
  ["a policy that is bound", policyFinding(metadata.name, { metadata }, denies), "ok", /refuses/],
  ["no policy", policyFinding(metadata.name, undefined, denies), "fault", /is not there/],
  ["a policy without a binding", policyFinding(metadata.name, { metadata }, undefined), "fault", /no binding/],
  [
    "a policy that only warns",
    policyFinding(metadata.name, { metadata }, { metadata, spec: { ...denies.spec, validationActions: ["Warn"] } }),
    "fault",
    /only does Warn, and refuses nothing/,
  ],
  [
    "a binding of another policy",
    policyFinding(metadata.name, { metadata }, { metadata, spec: { ...denies.spec, policyName: "other" } }),
    "fault",
    /binding is for other/,
  ],
  [
    "a policy that the server cannot judge by",
    policyFinding(
      metadata.name,
      { metadata, status: { typeChecking: { expressionWarnings: [{ warning: "undefined field" }] } } },
      denies,
    ),
    "fault",
    /undefined field/,
  ],
  [
    "a controller at work",
    leaseFinding(leaseOf({ holderIdentity: "me", renewTime: "2026-01-01T11:59:50Z", leaseDurationSeconds: 15 }), now),
    "ok",
    /me is at work/,
  ],
  [
    "a controller that is silent",
    leaseFinding(leaseOf({ holderIdentity: "me", renewTime: "2026-01-01T11:00:00Z", leaseDurationSeconds: 15 }), now),
    "fault",
    /silent for 60m/,
  ],
  ["a lease without a time", leaseFinding(leaseOf({ holderIdentity: "me" }), now), "fault", /silent for <unknown>/],
  ["a lease that was given back", leaseFinding(leaseOf({ holderIdentity: "" }), now), "fault", /none runs/],
  ["no lease", leaseFinding(undefined, now), "fault", /none has ever run here/],
  ["all rights", rightFinding("give", "team-a", [], "x"), "ok", /yes, in team-a/],
  [
    "a missing right, which is nobody's fault",
    rightFinding("give", "team-a", [{ verb: "give", resource: "persistentvolumeclaims" }], "portway-giver"),
    "note",
    /not in team-a: it takes give persistentvolumeclaims/,
  ],
  [
    "a transfer that takes long",
    told(journalFinding(volume, journal, waits, impatient)),
    "fault",
    /op-1 from a\/foo to b\/bar is open for 60m: Transferring, SourceLeaving: Held by a pod/,
  ],
  [
    "one whose request is gone",
    told(journalFinding(volume, journal, undefined, impatient)),
    "fault",
    /its request is gone or hidden/,
  ],
  ["a transfer under way", told(journalFinding(volume, journal, waits, patient)), "ok", /nothing is told/],
  [
    "a complete one",
    told(journalFinding(volume, { ...journal, outcome: "complete" }, waits, impatient)),
    "ok",
    /nothing/,
  ],
  [
    "an orphan",
    told(journalFinding(volume, { ...journal, outcome: "orphaned" }, undefined, patient)),
    "fault",
    /without a claim; its data is kept/,
  ],
  [
    "an orphan that was assigned",
    told(
      journalFinding(
        { ...volume, status: { phase: "Bound" } },
        { ...journal, outcome: "orphaned" },
        undefined,
        patient,
      ),
    ),
    "ok",
    /nothing is told/,
  ],
];

for (const [says, finding, is, words] of cases) {
  test(`${says} is told as ${is}`, () => {
    equal(finding.is, is);
    match(finding.says, words);
    equal(finding.next !== undefined, is !== "ok", "whatever is not ok comes with what to do");
  });
}

test("who is stuck is told what to do, by the reason", () => {
  match(told(journalFinding(volume, journal, waits, impatient)).next ?? "", /stop the pods.*explain pv\/pv-1/);
});

test("a webhook needs a certificate that is one and still good", () => {
  const inBase64 = (text: string) => Buffer.from(text).toString("base64");
  const good = inBase64(testCertificate().certificate);
  equal(bundleTrouble(good, now), undefined);
  match(bundleTrouble("", now) ?? "", /no caBundle yet/);
  match(bundleTrouble(inBase64("nonsense"), now) ?? "", /no certificate/);
  match(bundleTrouble(good, new Date("2060-01-01")) ?? "", /has expired/);
});

test("the policies that are looked for are those that ship", async () => {
  const shipped: string[] = [];
  for await (const path of glob("deploy/policies/*.yaml"))
    for (const document of loadAll(await readFile(path, "utf8"))) {
      const { kind, metadata } = document as { readonly kind: string; readonly metadata: { readonly name: string } };
      if (kind === "ValidatingAdmissionPolicy") shipped.push(metadata.name);
    }
  deepEqual(new Set(policyNames), new Set(shipped));
});
