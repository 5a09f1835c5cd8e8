import { equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

const ofTheSystem = ["sort", "head", "grep", "uname"] as const;
const good = { node: "v20.19.0", npm: "11.0.0", go: "go version go1.26.8 linux/amd64" };

/** Runs tools.sh where nothing is installed but these, each saying its version, and what every Linux has. */
function tools(t: TestContext, installed: Readonly<Record<string, string>>, ...wanted: readonly string[]) {
  const bin = mkdtempSync(join(tmpdir(), "pw-tools-"));
  t.after(() => rmSync(bin, { recursive: true }));
  for (const name of ofTheSystem) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  for (const [name, says] of Object.entries(installed))
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
  return spawnSync("/bin/sh", ["check/tools.sh", ...wanted], { env: { PATH: bin }, encoding: "utf8" });
}

test("what is there and new enough needs no word", (t) => {
  const { status, stdout, stderr } = tools(t, good, "node", "npm", "go");
  equal(`${stdout}${stderr}`, "");
  equal(status, 0);
});

const wrong: readonly (readonly [says: string, installed: Readonly<Record<string, string>>, line: RegExp])[] = [
  ["an old node", { ...good, node: "v18.20.4" }, /^error: node 18\.20\.4 is too old; 20\.0\.0 or newer .*\n$/],
  ["an old npm", { ...good, npm: "9.2.0" }, /^error: npm 9\.2\.0 is too old; .* npm install -g npm@11\n$/],
  [
    "an old go",
    { ...good, go: "go version go1.19.8 linux/amd64" },
    /^error: go 1\.19\.8 is too old; .*go\.dev\/dl.*\n$/,
  ],
];

for (const [says, installed, line] of wrong) {
  test(`${says} is one line that says how to get it`, (t) => {
    const { status, stderr } = tools(t, installed, "node", "npm", "go");
    match(stderr, line);
    equal(status, 1);
  });
}

for (const name of ["node", "npm", "go"] as const) {
  test(`without ${name}, one line says so and how to get it`, (t) => {
    const { [name]: _, ...installed } = good as Readonly<Record<string, string>>;
    const { status, stderr } = tools(t, installed, "node", "npm", "go");
    match(stderr, new RegExp(`^error: ${name} is missing; ${name} [\\d.]+ or newer is needed\\. .{20,}\\n$`));
    equal(status, 1);
  });
}
