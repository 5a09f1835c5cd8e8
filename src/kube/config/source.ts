import { readFile, stat } from "node:fs/promises";
import { Failure } from "../../api/failure.ts";

/** A text that a kubeconfig holds itself, or that a file holds which somebody else may replace while we run. */
export type Source =
  | { readonly what: string; readonly text: string }
  | { readonly what: string; readonly path: string };

export async function textOf(source: Source): Promise<string> {
  if (!("path" in source)) return source.text;
  return await readable(source.what, source.path, async () => await readFile(source.path, "utf8"));
}

/** Another stamp means another text. The inode is part of it: kubelet swaps a directory and keeps size and name. */
export async function stampOf(source: Source): Promise<string> {
  if (!("path" in source)) return "";
  const { mtimeNs, size, ino } = await readable(
    source.what,
    source.path,
    async () => await stat(source.path, { bigint: true }),
  );
  return `${mtimeNs} ${size} ${ino}`;
}

async function readable<T>(what: string, path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (problem) {
    throw new Failure(`${what} cannot be read: ${path} ${whyUnreadable(problem)}`, `Make ${path} readable.`, {
      cause: problem,
    });
  }
}

export function whyUnreadable(problem: unknown): string {
  const code = errorCode(problem);
  return reasons[code] ?? `answers ${code}`;
}

export function errorCode(problem: unknown): string {
  const { code } = problem as NodeJS.ErrnoException;
  return code ?? "an unknown error";
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "is not readable for this user",
  EPERM: "is not readable for this user",
  EISDIR: "is a directory",
  ENOTDIR: "has a file where a directory should be",
};
