import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../api/failure.ts";
import { type BuildPlace, build } from "../build/build.ts";
import { controlPlane, defaultKubernetes } from "../build/parts.ts";

export type ProgramName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kubectl";
export type Programs = Readonly<Record<ProgramName, string>>;

const names: readonly ProgramName[] = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
];

/** The programs of a control plane: those in KUBEBUILDER_ASSETS when it is set, the rest from our own build. */
export async function programsFor(
  kubernetes: string,
  assets: string | undefined,
  place: BuildPlace,
): Promise<Programs> {
  const given = assets === undefined || assets === "" ? {} : programsIn(assets, kubernetes);
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return given as Programs;
  if (missing.length < names.length)
    place.terminal.say(`KUBEBUILDER_ASSETS has no ${missing.join(", ")}; using Portway's own`);
  const built = await build(controlPlane(kubernetes), place);
  return { ...(Object.fromEntries(missing.map((name) => [name, built.program(name)])) as Programs), ...given };
}

function programsIn(directory: string, kubernetes: string): Partial<Programs> {
  if (!existsSync(directory)) {
    throw new Failure(
      `KUBEBUILDER_ASSETS names ${directory}, which does not exist`,
      "Correct it, or unset it to use Portway's own build.",
    );
  }
  if (kubernetes !== defaultKubernetes) {
    throw new Failure(
      "--kubernetes and KUBEBUILDER_ASSETS contradict each other",
      "Unset KUBEBUILDER_ASSETS, or leave --kubernetes out.",
    );
  }
  const found = names.filter((name) => existsSync(join(directory, name)));
  return Object.fromEntries(found.map((name) => [name, join(directory, name)]));
}
