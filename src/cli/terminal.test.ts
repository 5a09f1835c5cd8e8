import { equal } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { terminalOn } from "./terminal.ts";

const read = (stream: PassThrough) => String(stream.read() ?? "");

function screen(isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY, columns: 20 })];
  let clock = 0;
  const terminal = terminalOn(stdout, stderr, () => clock);
  return {
    terminal,
    stdout: () => read(stdout),
    stderr: () => read(stderr),
    pass: (seconds: number) => (clock += seconds * 1000),
  };
}

test("on a terminal, progress is one line that rewrites itself and leaves no trace", () => {
  const { terminal, stderr } = screen(true);
  terminal.progress("10/40 packages");
  terminal.progress("a line that is much longer than the screen is wide");
  terminal.say("done");
  equal(stderr(), "\r\u001b[K10/40 packages\r\u001b[Ka line that is much\r\u001b[Kdone\n");
});

test("elsewhere, progress is a plain line now and then", () => {
  const { terminal, stderr, pass } = screen(false);
  for (const step of ["1", "2", "3"]) {
    terminal.progress(step);
    pass(10);
  }
  equal(stderr(), "1\n3\n");
});

test("results alone are on stdout", () => {
  const { terminal, stdout } = screen(false);
  terminal.say("hello");
  terminal.progress("working");
  terminal.result("42");
  equal(stdout(), "42\n");
});
