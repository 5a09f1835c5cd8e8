import { Failure } from "../../api/failure.ts";
import { ApiError } from "../../kube/errors.ts";

type Row = readonly [says: string, holds: (problem: ApiError) => boolean, next: (problem: ApiError) => string];

/** What a person can do about the server's no. The first row that holds wins. */
export const advice: readonly Row[] = [
  [
    "there was no answer",
    ({ code }) => code === 0,
    () => "Check the network and the server's address: kubectl cluster-info.",
  ],
  ["we are not let in", ({ code }) => code === 401, () => "Log in again, or check --kubeconfig and --context."],
  [
    "the kind is not there",
    ({ isNotServed }) => isNotServed,
    ({ asked }) => `This cluster does not serve ${asked.resource}: ask the platform team to install it.`,
  ],
  [
    "the quota is used up",
    ({ isQuotaExceeded }) => isQuotaExceeded,
    ({ asked }) => `Make room in the quota: kubectl describe quota${inNamespace(asked)}.`,
  ],
  [
    "the namespace goes",
    ({ isNamespaceTerminating }) => isNamespaceTerminating,
    () => "The namespace is being deleted: choose another one.",
  ],
  [
    "a policy refuses",
    ({ deniedBy }) => deniedBy !== undefined,
    ({ deniedBy }) => `The policy ${deniedBy ?? ""} decides so: do what it asks for, or ask somebody who may.`,
  ],
  [
    "our webhook does not answer",
    ({ message }) => /failed calling webhook "[^"]*\.portway\.dev"/.test(message),
    () =>
      "Nothing was changed, because Portway's webhook does not answer: try again, or ask the platform team to look at portway-webhook in portway-system.",
  ],
  [
    "a right is missing",
    ({ code }) => code === 403,
    ({ asked }) =>
      `Ask an administrator for the right; this shows it: kubectl auth can-i ${verbOf(asked)} ${asked.resource}${inNamespace(asked)}.`,
  ],
  [
    "there is no such object",
    ({ isNotFound }) => isNotFound,
    ({ asked }) => `Check the name and the namespace: kubectl get ${asked.resource}${inNamespace(asked)}.`,
  ],
  [
    "the name is taken",
    ({ reason }) => reason === "AlreadyExists",
    ({ asked }) =>
      `Look at it: kubectl get ${asked.resource} ${asked.name ?? ""}${inNamespace(asked)}; then choose another name, or delete it.`,
  ],
  [
    "somebody else holds a field",
    ({ causes }) => causes.some(({ reason }) => reason === "FieldManagerConflict"),
    () => "Leave the fields alone that it names, or take them over with --force-conflicts.",
  ],
  [
    "it has changed meanwhile",
    ({ trouble }) => trouble === "conflict",
    () => "It has changed meanwhile: look at it, and try again.",
  ],
  ["it is not valid", ({ trouble }) => trouble === "refused", () => "Correct what the server complains about."],
  ["the server fails", () => true, () => "Try again; if it stays so, ask the platform team."],
];

/** The server's own words, and what to do. Anything that is not the server's is left as it is. */
export function asFailure(problem: unknown): unknown {
  if (!(problem instanceof ApiError)) return problem;
  const next = advice.find(([, holds]) => holds(problem))?.[2](problem) ?? "";
  return new Failure(problem.message, next, { cause: problem });
}

export function isForbidden(problem: unknown): problem is ApiError {
  return problem instanceof ApiError && problem.code === 403;
}

function verbOf({ verb }: ApiError["asked"]): string {
  return verb === "apply" ? "patch" : verb;
}

function inNamespace({ namespace }: ApiError["asked"]): string {
  return namespace === undefined ? "" : ` -n ${namespace}`;
}
