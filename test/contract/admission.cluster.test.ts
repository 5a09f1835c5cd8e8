import { deepEqual, match } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { configMaps } from "../../src/api/gen/core.ts";
import type { KubeObject, Resource } from "../../src/api/object.ts";
import { adminClient, keyOf, newNamespace, randomWord, refusalOf } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { until } from "../fixture/portway.ts";

const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

interface Specified extends KubeObject {
  readonly spec: object;
}

const admissionregistration = { group: "admissionregistration.k8s.io", version: "v1", namespaced: false };
const policies: Resource<Specified> = {
  ...admissionregistration,
  plural: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
};
const policyBindings: Resource<Specified> = {
  ...admissionregistration,
  plural: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
};

interface Guarded {
  readonly policy: string;
  /** The only namespace in which the policy holds. */
  readonly namespace: string;
}

/** A namespace where a policy forbids ConfigMaps that say no, from the moment this answers. */
async function newGuarded(t: TestContext, validation: object): Promise<Guarded> {
  const policy = `t-${randomWord()}.portway.dev`;
  const namespace = await newNamespace(t, admin, { guarded: policy });
  await make(t, policies, policy, {
    matchConstraints: {
      namespaceSelector: { matchLabels: { guarded: policy } },
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
      ],
    },
    validations: [{ expression: "object.data.say != 'no'", ...validation }],
  });
  await make(t, policyBindings, policy, { policyName: policy, validationActions: ["Deny"] });
  await until("the policy holds", () =>
    say(namespace, "no", true).then(
      () => false,
      () => true,
    ),
  );
  return { policy, namespace };
}

async function make(t: TestContext, resource: Resource<Specified>, name: string, spec: object): Promise<void> {
  const made = await admin.create(resource, { metadata: { name }, spec });
  t.after(() => admin.delete(resource, keyOf(made)));
}

function say(namespace: string, word: string, dryRun = false) {
  return admin.create(configMaps, { metadata: { namespace, name: "note" }, data: { say: word } }, { dryRun });
}

const denials: readonly (readonly [says: string, validation: object, answer: readonly [number, string]])[] = [
  ["that gives no reason is 422 Invalid", {}, [422, "Invalid"]],
  ["for the reason Forbidden is 403", { reason: "Forbidden" }, [403, "Forbidden"]],
  ["for the reason RequestEntityTooLarge is 413", { reason: "RequestEntityTooLarge" }, [413, "RequestEntityTooLarge"]],
];

for (const [says, validation, answer] of denials) {
  test(`a denial ${says}; it names its policy and is refused, by a dry run too`, async (t) => {
    const { policy, namespace } = await newGuarded(t, { ...validation, message: "say yes" });
    for (const dryRun of [true, false]) {
      const refusal = await refusalOf(say(namespace, "no", dryRun));
      deepEqual([refusal.code, refusal.reason], answer);
      deepEqual([refusal.deniedBy, refusal.trouble], [policy, "refused"]);
      match(refusal.message, /denied request: say yes$/);
    }
    await say(namespace, "yes");
  });
}

test("a JSON patch that a policy denies is 422 like a failed test, but with a cause, and refused", async (t) => {
  const { policy, namespace } = await newGuarded(t, {});
  const note = await say(namespace, "yes");
  const refusal = await refusalOf(
    admin.patch(configMaps, keyOf(note), [{ op: "add", path: "/data/say", value: "no" }]),
  );
  deepEqual([refusal.code, refusal.reason, refusal.causes.length], [422, "Invalid", 1]);
  deepEqual([refusal.deniedBy, refusal.trouble], [policy, "refused"]);
});
