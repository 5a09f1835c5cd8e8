import { equal, match } from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { packageRoot } from "../../src/dev/paths.ts";
import { cliStage, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: false });
const { cluster } = stage;

test("kubectl finds the plugin and completes its words", async (t) => {
  const { from, to, bob } = await twoTeams(t, stage);
  await bob.says("request", `${from}/foo`, "-n", to);
  execFileSync(process.execPath, ["check/bundle.ts"], { cwd: packageRoot });
  const bin = join(cluster.directory, "bin");
  const env = {
    ...process.env,
    KUBECONFIG: cluster.kubeconfigOf("bob"),
    PATH: `${join(packageRoot, "build")}:${bin}:${process.env["PATH"] ?? ""}`,
  };
  const kubectl = async (...words: string[]) =>
    await promisify(execFile)("kubectl", words, { env }).catch((problem: unknown) => {
      return problem as { readonly stdout: string; readonly stderr: string; readonly code: number };
    });
  match((await kubectl("portway", "status", "-n", to)).stdout, /transfer-foo/);
  match((await kubectl("portway", "--version")).stdout, /^portway \d/);
  match(
    (await kubectl("portway", "undo", "--help")).stdout,
    /^kubectl portway undo: /,
    "it speaks of itself as it was called",
  );
  const wrong = await kubectl("portway", "request");
  equal("code" in wrong && wrong.code, 2, "the exit code passes through");
  match((await kubectl("__complete", "portway", "undo", "-n", to, "")).stdout, /^transfer-foo\n:4\n/);
});
