import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../paths.ts";
import { linkFlagsOf, type Part } from "./parts.ts";

export interface Recipe {
  readonly folder: string;
  readonly modFile: string;
  readonly linkFlags: string;
  /** Changes with everything the result depends on; the same on every machine of one architecture. */
  readonly fingerprint: string;
}

export async function recipeOf(part: Part): Promise<Recipe> {
  const folder = join(packageRoot, "go", part.folder);
  const modFile = join(folder, part.modFile ?? "go.mod");
  const goMod = await readFile(modFile, "utf8");
  const linkFlags = linkFlagsOf(part, goMod);
  const sources = await sourcesOf(part, folder);

  const hash = createHash("sha256");
  for (const input of [
    process.arch,
    linkFlags,
    ...part.packages,
    ...part.links,
    ...part.files.map((f) => f.path),
    goMod,
  ]) {
    hash.update(`${input}\0`);
  }
  for (const file of [modFile.replace(/\.mod$/, ".sum"), ...sources]) {
    hash.update(await readFile(file)).update("\0");
  }
  return { folder, modFile, linkFlags, fingerprint: hash.digest("hex").slice(0, 16) };
}

/** Our own sources among the packages: those with a path, not with a module's name. */
export async function sourcesOf({ packages }: Part, folder: string): Promise<readonly string[]> {
  const folders = packages.filter((name) => name === "." || name.startsWith("./")).map((name) => join(folder, name));
  const files = await Promise.all(folders.map(async (at) => (await readdir(at)).sort().map((name) => join(at, name))));
  return files.flat().filter((name) => name.endsWith(".go"));
}
