import { equal, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { mutantFrom } from "./mutant.ts";

const root = join(import.meta.dirname, "../..");
const paths = await Array.fromAsync(glob(join(import.meta.dirname, "*.patch")));

/** Found here in a moment, and not only by the minutes of `make mutants`. */
for (const path of paths.sort()) {
  test(`the mutant ${basename(path, ".patch")} still fits the sources, and its test is there`, async () => {
    const mutant = mutantFrom(basename(path, ".patch"), await readFile(path, "utf8"));
    ok(existsSync(join(root, mutant.test)), mutant.test);
    const { status, stderr } = spawnSync("git", ["apply", "--check", path], { cwd: root, encoding: "utf8" });
    equal(status, 0, stderr);
  });
}
