import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../api/failure.ts";
import { type Call, type CommandGroup, command } from "./command.ts";
import { runCommand } from "./run.ts";

let seen: Call["flags"] | undefined;
let swept: readonly string[] = [];

const root: CommandGroup = {
  name: "portway",
  says: "a program",
  commands: [
    command({
      name: "give",
      says: "gives",
      takes: "[claim]",
      flags: {
        to: { says: "to whom", value: "NAMESPACE" },
        force: { says: "at once", short: "f" },
        tag: { says: "tags", value: "TAG", repeatable: true },
      },
      async run({ flags, positionals }) {
        seen = flags;
        if (positionals[0] === "broken") throw new Failure("the claim is broken", "Mend it.");
        if (positionals[0] === "bug") throw new TypeError("undefined is not a function");
        return positionals[0] === "told" ? 1 : undefined;
      },
    }),
    command({
      name: "sweep",
      says: "sweeps",
      takes: "[flow…]",
      flags: {},
      async run({ positionals }) {
        swept = positionals;
      },
    }),
  ],
};

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const terminal = {
    result: (text: string) => void (out += text),
    say: (text: string) => void (err += text),
    progress() {},
  };
  const code = await runCommand(root, words, { terminal, env: {}, stop: new AbortController().signal });
  return { code, out, err };
}

test("flags arrive typed: a value, a switch, a list", async () => {
  equal((await run("give", "a", "--to", "team-b", "-f", "--tag=x", "--tag=y")).code, 0);
  deepEqual({ ...seen }, { to: "team-b", force: true, tag: ["x", "y"] });
  await run("give");
  deepEqual({ ...seen }, { force: false, tag: [] });
});

test("a place with dots has room for any number of arguments", async () => {
  equal((await run("sweep", "a", "b", "c")).code, 0);
  deepEqual(swept, ["a", "b", "c"]);
});

test("a failure is said with its next step and exits 1", async () => {
  deepEqual(await run("give", "broken"), { code: 1, out: "", err: "error: the claim is broken\nMend it." });
});

test("a command that has said everything itself chooses its exit code", async () => {
  deepEqual(await run("give", "told"), { code: 1, out: "", err: "" });
});

test("a bug keeps its stack: it is not dressed up as a failure", async () => {
  await rejects(run("give", "bug"), TypeError);
});

const wrong: readonly (readonly [words: string[], sentence: RegExp])[] = [
  [[], /portway needs a command/],
  [["take"], /portway has no command "take"[\s\S]*One of: give/],
  [["give", "--frob"], /Unknown option '--frob'[\s\S]*portway give --help/],
  [["give", "--to"], /argument missing/],
  [["give", "a", "b"], /does not take "b"/],
  [["give", "--force=maybe"], /does not take an argument/],
];

for (const [words, sentence] of wrong) {
  test(`"${words.join(" ")}" is a usage error`, async () => {
    const { code, out, err } = await run(...words);
    equal(code, 2);
    equal(out, "", "nothing on stdout");
    match(err, sentence);
  });
}

test("help is a result, at every level", async () => {
  const group = await run("--help");
  equal(group.code, 0);
  match(group.out, /give +gives/);
  match((await run("give", "-h")).out, /Usage: portway give \[claim\] \[flags\][\s\S]*-f, --force +at once/);
});

test("flags may be written as Go's are", async () => {
  await run("give", "a", "--force=true", "--to=x");
  deepEqual({ ...seen }, { to: "x", force: true, tag: [] });
  await run("give", "a", "--force=false", "-f=false");
  deepEqual({ ...seen }, { force: false, tag: [] });
});

test("a group is loaded only when it is called", async () => {
  let loads = 0;
  const load = () => {
    loads++;
    return Promise.resolve(root);
  };
  const deferred: CommandGroup = { name: "p", says: "", commands: [{ name: "more", says: "later", load }] };
  const terminal = { result() {}, say() {}, progress() {} };
  const around = { terminal, env: {}, stop: new AbortController().signal };
  equal(await runCommand(deferred, ["--help"], around), 0);
  equal(loads, 0);
  equal(await runCommand(deferred, ["more", "give", "told"], around), 1);
  equal(loads, 1);
});
