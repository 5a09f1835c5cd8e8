import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { assert as check, constantFrom, property, string, uniqueArray } from "fast-check";
import { isNamespaceName, isObjectName } from "./names.ts";
import { replacedSecretKeys, secretFor, secretKeys, secretsOf, secretUses } from "./secret-names.ts";

const reserved = "csi.storage.k8s.io";
const claim = { namespace: "team-a", name: "data", annotations: { "team.example.com/key": "k1" } };

function secretsWith(parameters: Readonly<Record<string, string>>, of: Partial<typeof claim> = {}) {
  return secretsOf({ parameters, volumeName: "pvc-1", claim: { ...claim, ...of } });
}

function named(use: string, name: string, namespace: string): Readonly<Record<string, string>> {
  return { [`${reserved}/${use}-name`]: name, [`${reserved}/${use}-namespace`]: namespace };
}

function whyNot(parameters: Readonly<Record<string, string>>): string {
  const judged = secretsWith(parameters);
  return judged.is === "refused" ? judged.because : JSON.stringify(judged.value);
}

test("there are seven uses, sixteen keys, and eight of an older kind", () => {
  deepEqual([secretUses.length, secretKeys.length, replacedSecretKeys.size], [7, 16, 8]);
  ok(secretKeys.includes(`${reserved}/controller-modify-secret-namespace`));
  equal(replacedSecretKeys.get("csiNodeStageSecretNamespace"), `${reserved}/node-stage-secret-namespace`);
});

test("a class that names no secret needs none", () =>
  deepEqual(secretsWith({ pool: "ssd" }), { is: "fine", value: {} }));

test("one pair stands for all seven uses, and a use's own pair counts more", () => {
  const judged = secretsWith({ ...named("secret", "all", "storage"), ...named("node-stage-secret", "stage", "nodes") });
  const all = { name: "all", namespace: "storage" };
  ok(judged.is === "fine");
  deepEqual(judged.value, {
    ...Object.fromEntries(secretUses.map((use) => [use, all])),
    "node-stage": { name: "stage", namespace: "nodes" },
  });
});

test("every use has a pair of its own", () => {
  for (const use of secretUses) {
    const judged = secretsWith(named(`${use}-secret`, "one", "storage"));
    deepEqual(judged, { is: "fine", value: { [use]: { name: "one", namespace: "storage" } } });
  }
});

test("the old keys still work, also half and half with the new", () => {
  const older = { csiProvisionerSecretName: "one", csiProvisionerSecretNamespace: "storage" };
  const mixed = { csiProvisionerSecretName: "one", [`${reserved}/provisioner-secret-namespace`]: "storage" };
  for (const parameters of [older, mixed])
    deepEqual(secretsWith(parameters), { is: "fine", value: { provisioner: { name: "one", namespace: "storage" } } });
});

const refusals: readonly (readonly [says: string, parameters: Readonly<Record<string, string>>, because: RegExp])[] = [
  [
    "a name alone",
    { [`${reserved}/provisioner-secret-name`]: "one" },
    /only half of a secret: set both .*provisioner-secret-name/,
  ],
  ["a namespace alone", { [`${reserved}/secret-namespace`]: "one" }, /only half of a secret: set both .*\/secret-name/],
  ["an old name alone", { csiNodeStageSecretName: "one" }, /only half of a secret/],
  ["an empty name", named("node-publish-secret", "", "storage"), /node-publish-secret-name" or .* empty/],
  ["an empty namespace", named("node-publish-secret", "one", ""), /empty/],
  [
    "both kinds of keys",
    { ...named("provisioner-secret", "one", "storage"), csiProvisionerSecretName: "one" },
    /two keys/,
  ],
  [
    "a namespace that the claim's owner chooses",
    named("secret", "one", "${pvc.name}"),
    /namespace has tokens.*"\$\{pvc\.name\}"/,
  ],
  ["a namespace from an annotation", named("secret", "one", "${pvc.annotations['team.example.com/key']}"), /tokens/],
  [
    "an annotation that is not there",
    named("secret", "${pvc.annotations['other']}", "storage"),
    /"\$\{pvc\.annotations\['other'\]\}"/,
  ],
  ["an unknown token", named("secret", "${pvc.uid}", "storage"), /"\$\{pvc\.uid\}"/],
  ["a word of every object", named("secret", "${constructor}", "storage"), /"\$\{constructor\}"/],
  ["a token without a word", named("secret", "a${}b", "storage"), /"\$\{\}"/],
  ["a token without braces", named("secret", "$pvc", "storage"), /"\$"/],
  ["a token without an end", named("secret", "a${pvc.name", "storage"), /"\$"/],
  ["a name that is none", named("secret", "One", "storage"), /"One" is not a valid name/],
  ["a namespace that is none", named("secret", "one", "a.b"), /"a\.b" is not a valid namespace/],
  [
    "a name that becomes none",
    named("secret", "${pvc.name}-", "storage"),
    /"\$\{pvc\.name\}-" becomes "data-", which is not a valid name/,
  ],
];

for (const [says, parameters, because] of refusals)
  test(`is refused: ${says}`, () => match(whyNot(parameters), because));

test("tokens are filled in, several and next to each other", () => {
  const name = "${pv.name}.${pvc.namespace}${pvc.name}-${pvc.annotations['team.example.com/key']}";
  const judged = secretFor("provisioner", {
    parameters: named("secret", name, "x-${pvc.namespace}-${pv.name}"),
    volumeName: "pvc-1",
    claim,
  });
  deepEqual(judged, { is: "fine", value: { name: "pvc-1.team-adata-k1", namespace: "x-team-a-pvc-1" } });
});

test("what an annotation holds is a value and no template", () => {
  const annotations = { "team.example.com/key": "${pv.name}" };
  const judged = secretsWith(named("secret", "${pvc.annotations['team.example.com/key']}", "storage"), { annotations });
  ok(judged.is === "refused");
  match(judged.because, /becomes "\$\{pv\.name\}", which is not a valid name/);
});

test("an annotation cannot pass for one of the settled tokens", () => {
  const annotations = { "']}": "evil", "x'] ${pvc.namespace}": "evil", "team.example.com/key": "k1" };
  const judged = secretsWith(named("secret", "${pvc.namespace}", "${pvc.namespace}"), { annotations });
  ok(judged.is === "fine");
  deepEqual(judged.value.provisioner, { name: "team-a", namespace: "team-a" });
});

test("whatever the template, the answer is a refusal or two valid names, and the namespace is not the owner's choice", () => {
  const pieces = constantFrom("a", "-", ".", "$", "{", "}", "${pv.name}", "${pvc.namespace}", "${pvc.name}", "${x}");
  const templates = uniqueArray(pieces, { maxLength: 6 });
  check(
    property(templates, templates, string(), (name, namespace, chosen) => {
      const parameters = named("secret", name.join(""), namespace.join(""));
      const places = [claim, { ...claim, name: chosen, annotations: { "pvc.namespace": chosen } }].map((one) =>
        secretFor("node-stage", { parameters, volumeName: "pvc-1", claim: one }),
      );
      const namespaces = new Set<string>();
      for (const place of places) {
        if (place.is === "refused" || place.value === undefined) continue;
        ok(isObjectName(place.value.name) && isNamespaceName(place.value.namespace));
        namespaces.add(place.value.namespace);
      }
      ok(namespaces.size <= 1);
    }),
    { numRuns: 1000 },
  );
});
