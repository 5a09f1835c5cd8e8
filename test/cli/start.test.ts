import { deepEqual, equal, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { importsIn } from "../../check/direction.ts";
import { bundleProgram } from "../../check/program.ts";

/** Everything that is loaded before the first word is looked at: static imports of values, and no others. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith("src/")) return seen;
  const lines = importsIn(file, await readFile(file, "utf8"));
  for (const { text, from } of lines) {
    const isLater = /\bimport\(/.test(text) || /^\s*(import|export) type\b/.test(text);
    if (!isLater) await loadedBy(from.startsWith(".") ? normalize(join(file, "..", from)) : from, seen);
  }
  return seen;
}

test("whoever asks for the version or a help text loads no client, no controller, no driver and no control plane", async () => {
  const loaded = [...(await loadedBy("src/bin/portway.ts"))];
  ok(loaded.includes("src/cli/commands/status.ts"), "it looks in the right place");
  const heavy =
    /^(src\/(dev|rpc|rebind|buckets|provision|cli\/bucket)\/|src\/kube\/(?!errors\.ts|transport\/http\.ts)|src\/runtime\/(operate|loop|engine)|node:(http|tls|net|crypto|readline|child_process|stream)|@|esbuild|js-yaml|fast-check)/;
  deepEqual(
    loaded.filter((file) => heavy.test(file)),
    [],
  );
});

test("whoever looks at transfers loads a client, and neither drivers nor a control plane", async () => {
  const loaded = [...(await loadedBy("src/cli/kubectl/session.ts"))];
  ok(loaded.includes("src/kube/client.ts"));
  deepEqual(
    loaded.filter((file) => /^(src\/(dev|rpc)\/|@|esbuild)/.test(file)),
    [],
  );
});

test("the bundle loads no network of Node's before it is asked to talk to a server", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pw-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [program, spy] = [join(folder, "portway.cjs"), join(folder, "spy.cjs")];
  await bundleProgram(program);
  await writeFile(spy, 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")));\n');
  const loadedFor = async (...words: string[]) => {
    const args = ["--require", spy, program, ...words];
    const run = promisify(execFile)(process.execPath, args, { env: { HOME: "/nowhere" } });
    const { stderr } = await run.catch((problem: unknown) => problem as { readonly stderr: string });
    return stderr
      .split("\n")
      .filter((line) => /^NativeModule (http2?|https|tls|crypto|readline|child_process)$/.test(line));
  };
  deepEqual(await loadedFor("status", "--help"), []);
  deepEqual(await loadedFor("--version"), []);
  const connected = await loadedFor("status", "-s=https://127.0.0.1:1", "--request-timeout=1");
  equal(connected.includes("NativeModule tls"), true, "the spy sees what is loaded");
});
