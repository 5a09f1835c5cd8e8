import { isAbsolute } from "node:path";
import { misuse } from "../../api/failure.ts";
import { type AddonName, addonNames, withNeeded } from "../addons/names.ts";
import { defaultKubernetes, olderKubernetes } from "../build/parts.ts";

/** A person on the cluster: with a namespace and a ClusterRole bound in it, or with no rights yet. */
export interface Tenant {
  readonly name: string;
  readonly namespace?: string;
  readonly role?: string;
}

export interface ClusterOptions {
  readonly name: string;
  readonly kubernetes: string;
  readonly emulate?: string;
  readonly featureGates?: string;
  readonly apiserverArgs: readonly string[];
  readonly controllerManagerArgs: readonly string[];
  readonly tenants: readonly Tenant[];
  readonly addons: readonly AddonName[];
  readonly port?: number;
  /** Use this cluster instead of starting one. */
  readonly existing?: { readonly kubeconfig: string };
}

export interface ClusterWords {
  readonly name?: string | undefined;
  readonly kubernetes?: string | undefined;
  readonly emulate?: string | undefined;
  readonly "feature-gates"?: string | undefined;
  readonly "apiserver-arg"?: readonly string[];
  readonly "kcm-arg"?: readonly string[];
  readonly user?: readonly string[];
  readonly with?: readonly string[];
  readonly port?: string | undefined;
  readonly existing?: boolean;
  readonly kubeconfig?: string | undefined;
}

const label = /^[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?$/;

/** The options the words mean, or one sentence on the first word that is off. */
export function clusterOptions(words: ClusterWords): ClusterOptions {
  const existing = existingOf(words);
  return {
    name: nameOf(words.name ?? "dev"),
    kubernetes: kubernetesOf(words.kubernetes ?? defaultKubernetes),
    ...(words.emulate === undefined ? {} : { emulate: emulatedOf(words.emulate) }),
    ...(words["feature-gates"] === undefined ? {} : { featureGates: words["feature-gates"] }),
    apiserverArgs: (words["apiserver-arg"] ?? []).map(passedOn),
    controllerManagerArgs: (words["kcm-arg"] ?? []).map(passedOn),
    tenants: (words.user ?? []).map(tenantOf),
    addons: withNeeded((words.with ?? []).flatMap((list) => list.split(",")).map(addonOf)),
    ...(words.port === undefined ? {} : { port: portOf(words.port) }),
    ...(existing === undefined ? {} : { existing }),
  };
}

function nameOf(name: string): string {
  if (label.test(name)) return name;
  throw misuse(`"${name}" is no name for a cluster`, "Use lower-case letters, digits and dashes, at most 50.");
}

function kubernetesOf(version: string): string {
  const known = [defaultKubernetes, ...olderKubernetes];
  if (known.includes(version)) return version;
  throw misuse(`there is no pinned Kubernetes ${version}`, `--kubernetes takes one of ${known.join(", ")}.`);
}

function emulatedOf(version: string): string {
  if (/^1\.\d+$/.test(version)) return version;
  throw misuse(`"${version}" is no version to emulate`, "--emulate takes a minor version such as 1.33.");
}

function passedOn(argument: string): string {
  if (argument.startsWith("--")) return argument;
  throw misuse(`"${argument}" is no flag to pass on`, "Write it whole, for example --kcm-arg=--v=4.");
}

/** `alice`, or `alice:team-a:edit` with a namespace that is made and a ClusterRole that is bound in it. */
function tenantOf(words: string): Tenant {
  const [name = "", namespace, role, ...more] = words.split(":");
  const namesOk = [name, namespace ?? "x", role ?? "x"].every((word) => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(word));
  const whole = (namespace === undefined) === (role === undefined) && more.length === 0;
  if (!namesOk || !whole)
    throw misuse(
      `--user ${words} is not understood`,
      "Write --user NAME or --user NAME:NAMESPACE:ROLE, for example alice:team-a:edit.",
    );
  return namespace === undefined || role === undefined ? { name } : { name, namespace, role };
}

function addonOf(name: string): AddonName {
  const known = addonNames.find((n) => n === name);
  if (known !== undefined) return known;
  throw misuse(`there is no add-on "${name}"`, `--with takes some of ${addonNames.join(", ")}, separated by commas.`);
}

function portOf(words: string): number {
  const port = Number(words);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw misuse(`"${words}" is no port`, "--port takes a number from 1 to 65535.");
}

/** Settings of a control plane that somebody else runs are not ours to choose. */
function existingOf(words: ClusterWords): ClusterOptions["existing"] {
  if (words.existing !== true) {
    if (words.kubeconfig === undefined) return undefined;
    throw misuse(
      "--kubeconfig is only for --existing",
      "Add --existing to use that cluster, or leave --kubeconfig out.",
    );
  }
  if (words.kubeconfig === undefined || !isAbsolute(words.kubeconfig)) {
    throw misuse(
      "--existing needs --kubeconfig with an absolute path",
      "An existing cluster is never picked from the environment.",
    );
  }
  const ours = (["kubernetes", "emulate", "feature-gates", "port"] as const).find((flag) => words[flag] !== undefined);
  const lists = (["apiserver-arg", "kcm-arg", "user"] as const).find((flag) => (words[flag]?.length ?? 0) > 0);
  const wrong = ours ?? lists;
  if (wrong !== undefined)
    throw misuse(
      `--${wrong} cannot be used with --existing`,
      "It sets up a control plane, and that one is already running.",
    );
  return { kubeconfig: words.kubeconfig };
}
