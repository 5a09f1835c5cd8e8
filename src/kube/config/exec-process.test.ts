import { deepEqual, equal } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { script, temporaryDirectory } from "../../../test/fixture/configuration.ts";

const directory = await temporaryDirectory();
const asking = await script(directory, "asking", 'echo "password?" >&2', "cat");

/** A process of its own, because standard input and standard error are those of the whole process. */
async function inProcess(interactive: boolean): Promise<{ readonly end: unknown; readonly shown: string }> {
  const call = { command: asking, args: [], env: { PATH: process.env["PATH"] }, interactive, timeoutSeconds: 60 };
  const code = `import { runExec } from ${JSON.stringify(import.meta.resolve("./exec-process.ts"))};
    console.log(JSON.stringify(await runExec(${JSON.stringify(call)})));`;
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", code]);
  child.stdin.end("typed");
  const [said, shown] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { end: JSON.parse(said), shown };
}

test("an interactive program is seen asking, and hears what is typed", async () => {
  const { end, shown } = await inProcess(true);
  equal(shown, "password?\n");
  deepEqual(end, { how: "exited", status: "exit code 0", stdout: "typed", stderr: "password?\n" });
});

test("any other program is neither seen nor does it hear anything", async () => {
  const { end, shown } = await inProcess(false);
  equal(shown, "");
  deepEqual(end, { how: "exited", status: "exit code 0", stdout: "", stderr: "password?\n" });
});
