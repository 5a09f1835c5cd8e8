import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mutant } from "./mutant.ts";

/** A copy of the repository in which things may be broken. The real tree is only ever read. */
export interface Scratch extends AsyncDisposable {
  /** The root of the copy. */
  readonly directory: string;
  /** A path beside the copy, for what is not part of it. */
  beside(name: string): string;
  /** Does something to the broken copy, and mends it. Answers git's words when the patch does not fit any more. */
  broken<R>(mutant: Mutant, work: () => Promise<R>): Promise<R | { readonly unfit: string }>;
}

export async function scratchOf(root: string): Promise<Scratch> {
  const place = await mkdtemp(join(tmpdir(), "portway-mutants-"));
  const directory = join(place, "tree");
  const restore = async (paths: readonly string[]) => {
    for (const path of paths.filter((one) => existsSync(join(root, one)))) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await copyFile(join(root, path), join(directory, path));
    }
  };
  await mkdir(directory);
  await restore(filesOf(root));
  if (existsSync(join(root, "node_modules")))
    await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  return {
    directory,
    beside: (name) => join(place, name),
    async broken({ patch, touches }, work) {
      // Whole or not at all; a line that has moved is found, one that has changed is not.
      const applied = git(directory, ["apply", "-"], patch);
      if (applied.status !== 0) return { unfit: applied.words };
      try {
        return await work();
      } finally {
        await restore(touches);
      }
    },
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  };
}

/** What is tracked, and what would be if it were added. */
function filesOf(root: string): readonly string[] {
  const { status, words } = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (status !== 0) throw new Error(`the files of the repository cannot be listed: ${words}`);
  return words.split("\0").filter((path) => path !== "");
}

function git(
  cwd: string,
  args: readonly string[],
  input = "",
): { readonly status: number | null; readonly words: string } {
  // A copy that lies inside some other repository is not that repository's business.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const { status, stdout, stderr, error } = spawnSync("git", args, { cwd, env, input, encoding: "utf8" });
  return { status, words: error?.message ?? (status === 0 ? stdout : stderr.trim()) };
}
