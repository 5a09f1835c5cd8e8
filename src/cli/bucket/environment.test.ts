import { deepEqual, equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { assert, property, string } from "fast-check";
import { environmentOf, linesFor } from "./environment.ts";

const credentials = {
  endpoint: "http://127.0.0.1:7070",
  bucketName: "photos-1",
  accessKeyID: "id",
  accessSecretKey: 'it\'s $HOME `id` \\ "x" !',
};

function inShell(script: string, env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8", env });
  equal(status, 0, stderr);
  return stdout;
}

test("a shell that takes the lines has every value as it was, and nothing in it was run", () => {
  const environment = environmentOf(credentials);
  const print = Object.keys(environment).map((name) => `printf '%s\\0' "$${name}"`);
  const values = inShell([...linesFor("sh", environment), ...print].join("\n")).split("\0");
  deepEqual(values.slice(0, -1), Object.values(environment));
});

test("whatever is in a value, the shell gets it back", () => {
  assert(
    property(string({ unit: "binary-ascii" }), (value) => {
      const text = value.replaceAll("\0", "");
      equal(inShell([...linesFor("sh", { X: text }), `printf '%s.' "$X"`].join("\n")), `${text}.`);
    }),
    { numRuns: 25 },
  );
});

test("what was set for another store does not win over the lines", () => {
  const other = { AWS_PROFILE: "other", AWS_SESSION_TOKEN: "t", AWS_ENDPOINT_URL_S3: "http://other" };
  const script = [...linesFor("sh", environmentOf(credentials)), "env"].join("\n");
  const left = inShell(script, { PATH: process.env["PATH"] ?? "", ...other });
  for (const name of Object.keys(other)) equal(new RegExp(`^${name}=`, "m").test(left), false, name);
  match(left, /^AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:7070$/m);
});

test("a store without regions gets one to sign with, under both names that are in use", () => {
  const { AWS_REGION, AWS_DEFAULT_REGION } = environmentOf(credentials);
  deepEqual([AWS_REGION, AWS_DEFAULT_REGION], ["us-east-1", "us-east-1"]);
  equal(environmentOf({ ...credentials, region: "eu-1" })["AWS_DEFAULT_REGION"], "eu-1");
});

test("fish and PowerShell get their own words and their own quotes", () => {
  const lines = (shell: "fish" | "powershell") => linesFor(shell, { X: "it's \\ ’" }).at(-1);
  equal(lines("fish"), String.raw`set -gx X 'it\'s \\ ’'`);
  equal(lines("powershell"), String.raw`$Env:X = 'it''s \ ’’'`);
  equal(linesFor("fish", {})[0], "set -e AWS_PROFILE");
  equal(linesFor("powershell", {})[0], "Remove-Item Env:AWS_PROFILE -ErrorAction Ignore");
});
