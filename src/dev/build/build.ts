import { copyFile, mkdir, readFile, rename, rm, stat, statfs, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure } from "../../api/failure.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { lock } from "../lock.ts";
import { makeDirectory } from "../paths.ts";
import { type Recipe, recipeOf } from "./fingerprint.ts";
import { go, requireGo } from "./go.ts";
import type { Part } from "./parts.ts";
import { compileProgress } from "./progress.ts";

/** Where a part's programs and files are, built now if they were not. */
export interface Built {
  readonly directory: string;
  program(name: string): string;
  file(name: string): string;
}

export interface BuildPlace {
  /** The cache of built parts. */
  readonly directory: string;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

const manifestName = "built.json";
const leastFreeBytes = 1024 ** 3;

export async function build(part: Part, place: BuildPlace): Promise<Built> {
  const recipe = await recipeOf(part);
  const directory = join(place.directory, `${part.name}-${recipe.fingerprint}`);
  if (await isWhole(directory)) return builtIn(directory);

  await makeDirectory(place.directory);
  const held = await lock(directory, place.stop, () =>
    place.terminal.say(`another process is building ${part.name}; waiting for it`),
  );
  try {
    if (!(await isWhole(directory))) await buildInto(directory, part, recipe, place);
  } finally {
    await held.release();
  }
  return builtIn(directory);
}

function builtIn(directory: string): Built {
  return { directory, program: (name) => join(directory, name), file: (name) => join(directory, name) };
}

/** Under the lock: everything happens in a folder beside, and one rename makes it real. */
async function buildInto(directory: string, part: Part, recipe: Recipe, place: BuildPlace): Promise<void> {
  const needed = (await readFile(recipe.modFile, "utf8")).match(/^go (\S+)$/m)?.[1] ?? "1.26.0";
  await requireGo(needed);
  await requireSpace(place.directory);
  if (await exists(directory)) place.terminal.say(`${part.name} in the cache is damaged; building it again`);

  const halfMade = `${directory}.half`;
  await rm(halfMade, { recursive: true, force: true });
  await mkdir(halfMade);
  try {
    await compile(halfMade, part, recipe, place);
    await takeFiles(halfMade, part, recipe, place);
    await writeManifest(halfMade, part);
    await rm(directory, { recursive: true, force: true });
    await rename(halfMade, directory);
  } finally {
    await rm(halfMade, { recursive: true, force: true });
  }
}

async function compile(into: string, part: Part, recipe: Recipe, { terminal, stop }: BuildPlace): Promise<void> {
  if (part.packages.length === 0) return;
  const flags = [`-modfile=${recipe.modFile}`, "-trimpath", "-ldflags", recipe.linkFlags];
  const progress = compileProgress(part.name, terminal);
  const listed = await go({
    folder: recipe.folder,
    args: ["list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", ...flags, ...part.packages],
    stop,
    onLine: progress.downloading,
  });
  progress.total(listed.split("\n").filter((line) => line !== "").length);
  const out = part.packages.includes(".") ? join(into, part.folder) : `${into}/`;
  await go({
    folder: recipe.folder,
    args: ["build", "-v", "-o", out, ...flags, ...part.packages],
    stop,
    onLine: progress.compiled,
  });
  for (const link of part.links) await symlink(part.folder, join(into, link));
  progress.done();
}

async function takeFiles(into: string, part: Part, recipe: Recipe, { stop }: BuildPlace): Promise<void> {
  for (const { module, path } of part.files) {
    const answer = await go({ folder: recipe.folder, args: ["mod", "download", "-json", module], stop });
    const { Dir } = JSON.parse(answer) as { readonly Dir: string };
    await copyFile(join(Dir, path), join(into, basename(path)));
  }
}

/** What was made, with sizes and times: enough to notice a file that was cut, replaced or lost. */
interface Manifest {
  readonly v: 1;
  readonly files: Readonly<Record<string, { readonly size: number; readonly mtimeMs: number }>>;
}

async function writeManifest(directory: string, part: Part): Promise<void> {
  const programs = part.packages.map((pkg) => (pkg === "." ? part.folder : basename(pkg)));
  const files: Record<string, { size: number; mtimeMs: number }> = {};
  for (const name of [...programs, ...part.files.map(({ path }) => basename(path))]) {
    const { size, mtimeMs } = await stat(join(directory, name));
    files[name] = { size, mtimeMs };
  }
  await writeFile(join(directory, manifestName), JSON.stringify({ v: 1, files } satisfies Manifest));
}

async function isWhole(directory: string): Promise<boolean> {
  try {
    const { files } = JSON.parse(await readFile(join(directory, manifestName), "utf8")) as Manifest;
    const found = await Promise.all(Object.keys(files).map((name) => stat(join(directory, name))));
    return Object.values(files).every((f, i) => f.size === found[i]?.size && f.mtimeMs === found[i]?.mtimeMs);
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function requireSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= leastFreeBytes) return;
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new Failure(
    `only ${free} MB are free at ${directory}`,
    "Free some space (a first build needs about 7 GB) and run this again.",
  );
}
