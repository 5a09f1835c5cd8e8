import { X509Certificate } from "node:crypto";
import type { Resource } from "../../api/object.ts";
import type { Discovery } from "../../kube/discovery.ts";
import type { Eyes } from "../kubectl/eyes.ts";
import {
  admissionGroup,
  endpointSlices,
  mutatingKinds,
  mutatingVersions,
  mutatingWebhooks,
  type PolicyBinding,
  type Webhooks,
} from "./admission-kinds.ts";
import { type Finding, fault, note, ok, unseen } from "./finding.ts";

const about = "gives and accepts";
const names = { policy: "portway-hold", webhook: "portway" } as const;

/** Whether a claim is held in the very write that gives it away: by a policy where the server has those, or by the webhook. */
export async function holdFindings(eyes: Eyes, discovery: Discovery, now: Date): Promise<readonly Finding[]> {
  const policy = await policyStands(eyes, discovery);
  const webhooks = await eyes.find(mutatingWebhooks, { name: names.webhook });
  if (webhooks.is === "seen" && webhooks.value !== undefined)
    return [...(policy === "stands" ? [byPolicy] : []), ...(await webhookFindings(eyes, webhooks.value, now))];
  if (policy === "stands") return [byPolicy];
  if (policy === "unseen" || webhooks.is === "unseen") return [unseen(about, "mutating admission")];
  if (policy === "unbound")
    return [fault(about, `the policy ${names.policy} has no binding, and does nothing`, applyAdmission)];
  return [
    note(about, "neither a policy nor a webhook holds claims: transfers by request work, gives do not", applyAdmission),
  ];
}

const applyAdmission = "Install its admission, if people are to give and accept by annotation.";
const byPolicy = ok(about, `the policy ${names.policy} is bound`);

async function policyStands(eyes: Eyes, discovery: Discovery): Promise<"stands" | "unbound" | "absent" | "unseen"> {
  const [policies, bindings] = [await mutating(discovery, "policies"), await mutating(discovery, "bindings")];
  if (policies === undefined || bindings === undefined) return "absent";
  const policy = await eyes.find(policies, { name: names.policy });
  const binding = await eyes.find<PolicyBinding>(bindings, { name: names.policy });
  if (policy.is === "unseen" || binding.is === "unseen") return "unseen";
  if (policy.value === undefined) return "absent";
  return binding.value?.spec?.policyName === names.policy ? "stands" : "unbound";
}

async function mutating(discovery: Discovery, kind: keyof typeof mutatingKinds): Promise<Resource | undefined> {
  for (const version of mutatingVersions) {
    const served = await discovery.served(admissionGroup, version);
    const found = served.find(({ plural }) => plural === mutatingKinds[kind]);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function webhookFindings(eyes: Eyes, { webhooks = [] }: Webhooks, now: Date): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const { name, clientConfig } of webhooks) {
    const which = `webhook ${name}`;
    const trouble = bundleTrouble(clientConfig.caBundle ?? "", now);
    if (trouble !== undefined)
      found.push(fault(which, trouble, "Start portway webhook: it writes its own certificate."));
    else found.push(await readiness(eyes, which, clientConfig.service));
  }
  return found;
}

/** Why the server would not trust the webhook. */
export function bundleTrouble(caBundle: string, now: Date): string | undefined {
  if (caBundle === "") return "it has no caBundle yet, so every give is refused";
  try {
    const { validToDate } = new X509Certificate(Buffer.from(caBundle, "base64"));
    return validToDate < now ? `its caBundle has expired on ${validToDate.toISOString()}` : undefined;
  } catch {
    return "its caBundle is no certificate";
  }
}

async function readiness(
  eyes: Eyes,
  which: string,
  service: { readonly namespace: string; readonly name: string } | undefined,
): Promise<Finding> {
  if (service === undefined) return ok(which, "it has a caBundle, and is no service of this cluster");
  const { namespace, name } = service;
  const slices = await eyes.list(endpointSlices, { namespace, labelSelector: `kubernetes.io/service-name=${name}` });
  if (slices.is === "unseen") return unseen(which, `whether ${namespace}/${name} is ready`);
  const ready = slices.value
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter(({ conditions }) => conditions?.ready === true);
  return ready.length > 0
    ? ok(which, `${ready.length} ready behind ${namespace}/${name}`)
    : fault(which, `nobody is ready behind ${namespace}/${name}, so every give is refused`, "Start portway webhook.");
}
