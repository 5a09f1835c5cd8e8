import { readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { Failure } from "../../api/failure.ts";
import { type Environment, variable } from "./environment.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";
import { errorCode, whyUnreadable } from "./source.ts";

/** The kubeconfigs to merge, the strongest first; none when there are none and none was asked for. */
export async function kubeconfigs(env: Environment, explicit: string | undefined): Promise<readonly Kubeconfig[]> {
  if (explicit !== undefined) return [await demanded(resolve(explicit))];
  return await present(usualFiles(env));
}

/** Where we look when nobody names a file. As in kubectl, a KUBECONFIG that is set never leads to the home cluster by a typo. */
export function usualFiles(env: Environment): readonly string[] {
  const listed = listedFiles(env);
  return listed.length > 0 ? listed : homeFiles(env);
}

function listedFiles(env: Environment): readonly string[] {
  const paths = (variable(env, "KUBECONFIG") ?? "").split(delimiter).filter((path) => path !== "");
  return [...new Set(paths.map((path) => resolve(path)))];
}

function homeFiles(env: Environment): readonly string[] {
  const home = variable(env, "HOME");
  return home === undefined ? [] : [join(home, ".kube", "config")];
}

async function demanded(file: string): Promise<Kubeconfig> {
  const found = await kubeconfigIn(file);
  if (found !== undefined) return found;
  throw new Failure(
    `kubeconfig ${file} does not exist`,
    "Correct --kubeconfig, or leave it out to use the usual ones.",
  );
}

async function present(files: readonly string[]): Promise<readonly Kubeconfig[]> {
  const found = await Promise.all(files.map(kubeconfigIn));
  return found.filter((config) => config !== undefined);
}

/** Missing is an answer here, unreadable is not: skipping a file that is there could pick another cluster. */
async function kubeconfigIn(file: string): Promise<Kubeconfig | undefined> {
  const text = await readFile(file, "utf8").catch((problem: unknown) => {
    if (errorCode(problem) === "ENOENT") return undefined;
    throw new Failure(
      `kubeconfig ${file} ${whyUnreadable(problem)}`,
      "Make it readable, or choose another kubeconfig.",
      { cause: problem },
    );
  });
  return text === undefined ? undefined : parseKubeconfig(file, text);
}
