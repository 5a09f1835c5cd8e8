import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import { dependencyFaults, type Lock, packageFaults } from "./dependencies.ts";

const pkg = { dependencies: { yaml: "1.2.3" } };
const documented = "| `yaml` 1.2.3 | reads manifests | … |";
const lock: Lock = { "": {}, "node_modules/yaml": { version: "1.2.3", integrity: "sha512-x", license: "MIT" } };

test("a pinned, verified, documented dependency is fine", () => {
  deepEqual(packageFaults(pkg, lock, documented), []);
});

const entry = { version: "1.2.3", integrity: "sha512-x", license: "MIT" };
const planted: readonly (readonly [says: string, faults: readonly string[], sign: RegExp])[] = [
  ["a range instead of a version", packageFaults({ dependencies: { yaml: "^1.2.3" } }, lock, documented), /not pinned/],
  [
    "a version the document does not know",
    packageFaults({ dependencies: { yaml: "1.2.4" } }, lock, documented),
    /no row for `yaml` 1.2.4/,
  ],
  ["no integrity", packageFaults(pkg, { a: { version: "1.0.0", license: "MIT" } }, documented), /no integrity/],
  ["a copyleft licence", packageFaults(pkg, { a: { ...entry, license: "GPL-3.0" } }, documented), /GPL-3.0/],
  ["no licence at all", packageFaults(pkg, { a: { version: "1.0.0", integrity: "x" } }, documented), /licence unknown/],
  [
    "a host in the lock file",
    packageFaults(pkg, { a: { ...entry, resolved: "https://somewhere" } }, documented),
    /names a host/,
  ],
];

for (const [says, faults, sign] of planted) test(`is found: ${says}`, () => match(faults.join("\n"), sign));

test("the project's own dependencies are in order", async () => {
  deepEqual(await dependencyFaults(), []);
});
