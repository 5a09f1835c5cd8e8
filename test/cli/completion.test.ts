import { deepEqual, equal, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scripts } from "../../src/cli/completion/scripts.ts";
import { packageRoot } from "../../src/dev/paths.ts";

const folder = await mkdtemp(join(tmpdir(), "pw-completion-"));
after(() => rm(folder, { recursive: true, force: true }));
const program = join(folder, "kubectl-portway");
await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${packageRoot}/src/bin/portway.ts" "$@"\n`);
await chmod(program, 0o755);
await writeFile(join(folder, "wanted.yaml"), "");

const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}`, KUBECONFIG: join(folder, "none") };

function inBash(script: string): string {
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
    env,
    cwd: folder,
    encoding: "utf8",
  });
  equal(status, 0, stderr);
  equal(stderr, "");
  return stdout;
}

/** What bash would offer when Tab is pressed at the end of this line: loaded as people load it, called as bash calls it. */
function tabAfter(line: string): readonly string[] {
  const offered = inBash(`
    source <(kubectl-portway completion bash)
    function=$(complete -p kubectl-portway | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    COMP_LINE='${line}' COMP_POINT=${line.length}
    COMP_WORDS=($COMP_LINE) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    "$function" kubectl-portway
    printf '%s\\n' "\${COMPREPLY[@]}"`);
  return offered.split("\n").filter((word) => word !== "");
}

const lines: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ["kubectl-portway re", ["request", "rename"]],
  ["kubectl-portway completion ", ["bash", "zsh", "fish"]],
  ["kubectl-portway status --out", ["--output"]],
  ["kubectl-portway status -o j", ["json"]],
  ["kubectl-portway status --output=y", ["yaml"]],
  ["kubectl-portway request a/b --when-in-use ", ["Wait", "Fail"]],
  ["kubectl-portway apply -f wan", ["wanted.yaml"]],
  ["kubectl-portway apply --filename=wan", ["wanted.yaml"]],
  ["kubectl-portway bucket ", ["create", "list", "describe", "env", "rm"]],
  ["kubectl-portway bucket env photos --shell ", ["sh", "fish", "powershell"]],
  ["kubectl-portway bucket env photos --file wan", ["wanted.yaml"]],
  ["kubectl-portway nothing ", []],
];

for (const [line, offers] of lines) {
  test(`Tab after "${line}" in bash offers ${offers.join(", ") || "nothing"}`, () => {
    deepEqual(tabAfter(line), offers);
  });
}

test("both names of the program are completed", () => {
  const told = inBash("source <(kubectl-portway completion bash); complete -p portway kubectl-portway");
  equal(told.trim().split("\n").length, 2);
});

/** Shells that this machine may lack; bash is on every one that runs these tests. */
const shells = { bash: ["bash", "-n"], zsh: ["zsh", "-n"], fish: ["fish", "--no-execute"] } as const;
const isHere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

for (const [shell, [command, ...args]] of Object.entries(shells)) {
  test(`the script for ${shell} is complete, and valid where there is a ${shell}`, async () => {
    const text = scripts[shell as keyof typeof scripts];
    for (const word of ["__complete", "kubectl-portway portway"]) ok(text.includes(word), word);
    if (shell !== "bash" && !isHere(shell)) return;
    const file = join(folder, `script.${shell}`);
    await writeFile(file, text);
    const { status, stderr } = spawnSync(command, [...args, file], { encoding: "utf8" });
    equal(status, 0, stderr);
  });
}
