import { deepEqual, rejects } from "node:assert/strict";
import { test } from "node:test";
import { confirm } from "./confirm.ts";

function screen(answer?: string) {
  const said: string[] = [];
  const terminal = { result() {}, say: (text: string) => void said.push(text), progress() {} };
  return { said, terminal: answer === undefined ? terminal : { ...terminal, ask: () => Promise.resolve(answer) } };
}

test("the plan is shown in any case, and a yes goes on", async () => {
  for (const [answer, isAgreed] of [
    ["y", false],
    [" YES ", false],
    [undefined, true],
  ] as const) {
    const { said, terminal } = screen(answer);
    await confirm(terminal, ["one", "two"], isAgreed);
    deepEqual(said, ["one\ntwo"]);
  }
});

test("anything else does nothing", async () => {
  for (const answer of ["", "n", "yeah"])
    await rejects(confirm(screen(answer).terminal, [], false), /nothing was done/);
});

test("where nobody can answer it is a usage error", async () => {
  await rejects(confirm(screen().terminal, [], false), { exitCode: 2, message: /nobody is here to confirm/ });
});
