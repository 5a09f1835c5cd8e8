import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
}

export type Lock = Readonly<Record<string, LockEntry>>;

/** Licences that ask nothing of those who pass Portway on but to keep the notice. */
const licences = [
  "Apache-2.0",
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "MIT OR Apache-2.0",
  // protobuf-es: its own code under the one, the varint code it took over from Google under the other.
  "(Apache-2.0 AND BSD-3-Clause)",
  "PSF-2.0",
  "Unlicense",
];

export function packageFaults(pkg: Package, lock: Lock, documented: string): readonly string[] {
  const direct = Object.entries({ ...pkg.dependencies, ...pkg.devDependencies, ...pkg.optionalDependencies });
  const ofDirect = direct.flatMap(([name, version]) => [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`package.json: ${name} is not pinned to one version but "${version}"`]),
    ...(documented.includes(`| \`${name}\` ${version} |`)
      ? []
      : [`docs/dependencies.md has no row for \`${name}\` ${version}`]),
  ]);
  const locked = Object.entries(lock).filter(([path]) => path !== "");
  const ofLocked = locked.flatMap(([path, { integrity, license, resolved }]) => [
    ...(integrity === undefined ? [`package-lock.json: ${path} has no integrity`] : []),
    ...(resolved === undefined
      ? []
      : [`package-lock.json: ${path} names a host; run npm install with the project's .npmrc`]),
    ...(license !== undefined && licences.includes(license)
      ? []
      : [`package-lock.json: ${path} has the licence ${license ?? "unknown"}`]),
  ]);
  return [...ofDirect, ...ofLocked];
}

/** Go modules are pinned by go.mod and verified by go.sum; each folder is a dependency to give reasons for. */
async function goFaults(documented: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for await (const file of glob("go/**/go.mod")) {
    if (!existsSync(file.replace(/\.mod$/, ".sum"))) faults.push(`${file} has no go.sum beside it`);
    if (!documented.includes(`\`${dirname(file)}\``))
      faults.push(`docs/dependencies.md has no row for \`${dirname(file)}\``);
  }
  return faults;
}

export async function dependencyFaults(): Promise<readonly string[]> {
  const pkg = JSON.parse(await readFile("package.json", "utf8")) as Package;
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as { readonly packages: Lock };
  const documented = await readFile("docs/dependencies.md", "utf8");
  return [...packageFaults(pkg, packages, documented), ...(await goFaults(documented))];
}
