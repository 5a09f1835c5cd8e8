import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Fate, judge, type Verdict } from "./judge.ts";
import { mutantFrom } from "./mutant.ts";
import { scratchOf } from "./scratch.ts";

const sound = `export function larger(a: number, b: number): number {
  if (a > b) return a;
  return b;
}
`;

const tests = `import { equal } from "node:assert/strict";
import { test } from "node:test";
import { larger } from "./larger.ts";

test("of two the larger one is taken", () => equal(larger(2, 1), 2));
test("of two that are equal one is taken", () => equal(larger(1, 1), 1));
test("fails anyway", () => equal(larger(1, 1), 2));
`;

interface Written {
  readonly fails?: string;
  readonly because?: string;
  readonly before?: string;
  readonly after?: string;
  readonly test?: string;
}

function patchOf({
  fails = "the larger one",
  because = "1 !== 2",
  before = "if (a > b) return a;",
  after = "if (a < b) return a;",
  test: file = "larger.test.ts",
}: Written): string {
  return `The smaller one is taken.
test: ${file}
fails: ${fails}
because: ${because}
cluster: no
--- a/larger.ts
+++ b/larger.ts
@@ -1,4 +1,4 @@
 export function larger(a: number, b: number): number {
-  ${before}
+  ${after}
   return b;
 }
`;
}

/** A repository of two files, with a directory that git ignores. */
async function plantedTree(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "pw-planted-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  equal(spawnSync("git", ["init", "--quiet"], { cwd: root }).status, 0);
  await mkdir(join(root, "build"));
  const files = { "larger.ts": sound, "larger.test.ts": tests, ".gitignore": "/build/\n", "build/out": "" };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  return root;
}

async function verdictsOn(t: TestContext, patches: readonly Written[]): Promise<readonly Verdict[]> {
  const root = await plantedTree(t);
  await using scratch = await scratchOf(root);
  const { signal: stop } = new AbortController();
  const mutants = patches.map((patch, index) => mutantFrom(`mutant-${index}`, patchOf(patch)));
  const options = { scratch, stop, lane: undefined, cleanUp: async () => undefined, onVerdict: () => undefined };
  const verdicts = await judge(mutants, options);
  equal(await readFile(join(root, "larger.ts"), "utf8"), sound, "the real tree is not touched");
  equal(await readFile(join(scratch.directory, "larger.ts"), "utf8"), sound, "the copy is mended");
  return verdicts;
}

const cases: readonly (readonly [says: string, patch: Written, fate: Fate, by: RegExp])[] = [
  ["that its test notices is caught", {}, "caught", /^of two the larger one is taken$/],
  [
    "that its test stumbles over by chance is not caught",
    { after: 'throw new Error("tired");' },
    "its test fails for another reason",
    /^tired$/,
  ],
  ["that its test does not notice survives", { fails: "that are equal" }, "survived", /that are equal/],
  ["whose lines have changed does not apply", { before: "if (b < a) return a;" }, "does not apply", /larger\.ts/],
  ["that cannot be loaded has not been noticed", { after: "if (" }, "its test did not run", /SyntaxError/],
  ["whose test fails anyway is not judged", { fails: "fails anyway" }, "its test fails without it", /1 !== 2/],
  ["whose test has another name now is not judged", { fails: "the smaller" }, "its test fails without it", /^/],
  ["whose test is gone is not judged", { test: "gone.test.ts" }, "its test fails without it", /gone\.test\.ts/],
];

for (const [says, patch, fate, by] of cases) {
  test(`a mutant ${says}`, async (t) => {
    const [verdict] = await verdictsOn(t, [patch]);
    equal(verdict?.fate, fate);
    match(verdict.by, by);
  });
}

test("one mutant is gone before the next one comes", async (t) => {
  const verdicts = await verdictsOn(t, [{}, { fails: "that are equal" }, {}]);
  deepEqual(
    verdicts.map(({ fate }) => fate),
    ["caught", "survived", "caught"],
  );
});

test("the copy holds what git would hold, and goes with whoever made it", async (t) => {
  const scratch = await scratchOf(await plantedTree(t));
  ok(existsSync(join(scratch.directory, "larger.test.ts")));
  equal(existsSync(join(scratch.directory, "build")), false);
  await scratch[Symbol.asyncDispose]();
  equal(existsSync(scratch.directory), false);
});

test("a patch without its header, and one that breaks a test, are refused", () => {
  throws(
    () => mutantFrom("x", patchOf({}).replace("cluster: no\n", "")),
    /x: the patch has not got a line "cluster: "/,
  );
  throws(() => mutantFrom("x", patchOf({}).replace("--- a/larger.ts", "--- a/larger.test.ts")), /breaks no test/);
});
