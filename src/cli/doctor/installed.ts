import { customResourceDefinitions } from "../../api/gen/apiextensions.ts";
import { bucketClasses, bucketContents, buckets, cosiRegistrations } from "../../api/gen/cosi.ts";
import { storageTransferApprovals, storageTransferPolicies, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Resource } from "../../api/object.ts";
import type { Discovery } from "../../kube/discovery.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import { type Policy, type PolicyBinding, validatingBindings, validatingPolicies } from "./admission-kinds.ts";
import { type Finding, fault, ok, unseen } from "./finding.ts";

/** Without each of these somebody could take what is not theirs; a test compares them with deploy/policies. */
export const policyNames = [
  "portway-consent",
  "portway-consent-policy",
  "portway-consent-claims",
  "portway-own-marks",
  "portway-bucketclass-use",
  "portway-bucketclass-secret",
  "portway-bucket-contents",
  "portway-bucket-drivers",
] as const;

const apply = "Apply what Portway ships in deploy/";

const kinds: readonly Resource[] = [
  storageTransferRequests,
  storageTransferApprovals,
  storageTransferPolicies,
  buckets,
  bucketClasses,
  bucketContents,
  cosiRegistrations,
];

export async function kindFindings(eyes: Eyes, discovery: Discovery): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const resource of kinds) found.push(await kindFinding(eyes, discovery, resource));
  return found;
}

/** Everybody may ask what is served; who may read the definition learns why it is not. */
async function kindFinding(eyes: Eyes, discovery: Discovery, resource: Resource): Promise<Finding> {
  const { plural, group, version } = resource;
  const about = `kind ${resource.kind}`;
  if (await discovery.serves(resource)) return ok(about, `${group}/${version} is served`);
  const sight = await eyes.find(customResourceDefinitions, { name: `${plural}.${group}` });
  const next = `${apply}crds.`;
  if (sight.is === "unseen" || sight.value === undefined)
    return fault(about, `${group}/${version} is not served`, next);
  const served = sight.value.spec.versions.filter((one) => one.served).map(({ name }) => name);
  if (!served.includes(version))
    return fault(about, `the server has it as ${served.join(", ") || "nothing"}, and not as ${version}`, next);
  const why = sight.value.status?.conditions?.find(({ status }) => status !== "True");
  return fault(about, `it is installed and not served: ${why?.message ?? "no reason is told"}`, "Mend what it says.");
}

export async function policyFindings(eyes: Eyes): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const name of policyNames) {
    const [policy, binding] = [
      await eyes.find(validatingPolicies, { name }),
      await eyes.find(validatingBindings, { name }),
    ];
    if (policy.is === "unseen" || binding.is === "unseen") found.push(unseen(`policy ${name}`, "admission policies"));
    else found.push(policyFinding(name, policy.value, binding.value));
  }
  return found;
}

export function policyFinding(name: string, policy: Policy | undefined, binding: PolicyBinding | undefined): Finding {
  const about = `policy ${name}`;
  const trouble =
    policy === undefined
      ? "it is not there: what it refuses is allowed now"
      : (bindingTrouble(name, binding) ?? warningOf(policy));
  return trouble === undefined ? ok(about, "it is bound, and refuses") : fault(about, trouble, `${apply}policies.`);
}

/** Why nothing is refused, although the policy is there. */
function bindingTrouble(name: string, binding: PolicyBinding | undefined): string | undefined {
  if (binding === undefined) return "it has no binding, and refuses nothing";
  const { policyName = "nothing", validationActions = [] } = binding.spec ?? {};
  if (policyName !== name) return `its binding is for ${policyName}`;
  if (validationActions.includes("Deny")) return undefined;
  return `its binding only does ${validationActions.join(", ") || "nothing"}, and refuses nothing`;
}

function warningOf({ status }: Policy): string | undefined {
  const [found] = status?.typeChecking?.expressionWarnings ?? [];
  return found === undefined ? undefined : `the server cannot judge by it: ${found.warning}`;
}
