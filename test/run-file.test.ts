import { deepEqual, equal, match } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { runFile } from "./run-file.ts";

const never = new AbortController().signal;

async function fileOf(t: TestContext, body: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pw-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "one.test.ts");
  await writeFile(file, `import { test } from "node:test";\n${body}`);
  return file;
}

/** A runner does not run inside a test that it knows of. */
async function runOf(t: TestContext, body: string, seconds: number) {
  const context = process.env["NODE_TEST_CONTEXT"];
  delete process.env["NODE_TEST_CONTEXT"];
  try {
    return await runFile({
      lane: "a-lane",
      file: await fileOf(t, body),
      argv: [],
      stop: never,
      say: () => undefined,
      seconds,
    });
  } finally {
    if (context !== undefined) process.env["NODE_TEST_CONTEXT"] = context;
  }
}

test("what passed and failed is counted, and what failed is told in one line", async (t) => {
  const body = `test("good", () => {}); test("bad", () => { throw new Error("no\\nmore"); });`;
  const { counts, failures } = await runOf(t, body, 60);
  deepEqual([counts.tests, counts.pass, counts.fail], [2, 1, 1]);
  equal(failures.length, 1);
  match(failures[0] ?? "", /^✖ a-lane: bad \(.*one\.test\.ts\): no$/);
});

test("a file that a forgotten child keeps alive ends in time, and not as a success", async (t) => {
  const body = `import { spawn } from "node:child_process";
    test("forgets", () => void spawn("sleep", ["20"]).stdout.resume());`;
  const { counts, failures } = await runOf(t, body, 2);
  deepEqual([counts.pass, counts.cancelled], [1, 1]);
  match(failures.join(), /had not ended after 2 seconds/);
});
