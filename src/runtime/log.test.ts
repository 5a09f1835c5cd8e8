import { deepEqual, doesNotThrow, equal, match, ok } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { Failure } from "../api/failure.ts";
import { ApiError } from "../kube/errors.ts";
import { type Log, type LogOptions, logTo } from "./log.ts";

const clock = { now: () => 0, wall: () => new Date("2026-01-02T03:04:05.678Z") };

function remembered(options: Partial<LogOptions> = {}): { readonly log: Log; readonly said: () => string } {
  const stream = new PassThrough();
  const log = logTo(stream, { format: "json", verbosity: 2, component: "portway-test", clock, ...options });
  return { log, said: () => ((stream.read() as Buffer | null) ?? Buffer.alloc(0)).toString("utf8") };
}

function lastOf(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text.trim().split("\n").at(-1) ?? "") as Readonly<Record<string, unknown>>;
}

function refusal(trouble: ApiError["trouble"]): ApiError {
  const facts = { code: 503, reason: "X", message: "not now", causes: [], retryAfterSeconds: undefined };
  return new ApiError({ verb: "get", resource: "pods", writes: false }, facts, trouble);
}

test("a JSON line has the time, the level, the message and its fields, flat", () => {
  const { log, said } = remembered();
  log.with({ operation: "op-1" }).info("moved", { claim: "a/b", bytes: 5n });
  deepEqual(lastOf(said()), {
    ts: "2026-01-02T03:04:05.678Z",
    level: "info",
    v: 0,
    component: "portway-test",
    msg: "moved",
    operation: "op-1",
    claim: "a/b",
    bytes: "5",
  });
});

test("a text line is one line, whatever is in it", () => {
  const { log, said } = remembered({ format: "text" });
  log.info("moved\nERROR forged", { claim: "a/b", why: "two words\nand a break", list: [1, 2] });
  equal(
    said(),
    '2026-01-02T03:04:05.678Z INFO  portway-test: moved\\nERROR forged claim=a/b why="two words\\nand a break" list="[1,2]"\n',
  );
});

test("details are written up to the level that was asked for", () => {
  const { log, said } = remembered();
  log.debug(2, "written");
  log.debug(3, "not written");
  deepEqual(
    [lastOf(said())].map(({ msg, v, level }) => [msg, v, level]),
    [["written", 2, "info"]],
  );
  equal(said(), "");
});

test("a field cannot take the place of the message or the time", () => {
  const { log, said } = remembered();
  log.info("mine", { msg: "other", ts: "1970", level: "none" });
  const line = lastOf(said());
  deepEqual([line["msg"], line["msg_"], line["ts_"], line["level_"]], ["mine", "other", "1970", "none"]);
});

test("an error says its message and its causes, and nothing twice", () => {
  const { log, said } = remembered();
  const root = new Error("connection reset");
  log.error("the step failed", new Error("get pods: connection reset", { cause: new Error("x", { cause: root }) }));
  equal(lastOf(said())["err"], "get pods: connection reset: because: x: because: connection reset");
  log.error("the step failed", new Error("get pods: connection reset", { cause: root }));
  equal(lastOf(said())["err"], "get pods: connection reset");
  log.error("many", new AggregateError([new Error("a"), new Error("b")], "both"));
  equal(lastOf(said())["err"], "both; a; b");
});

test("only a bug has a stack", () => {
  const { log, said } = remembered();
  const stackOf = (problem: unknown) => {
    log.error("failed", problem);
    return lastOf(said())["stack"];
  };
  equal(stackOf(new Failure("no", "Do this.")), undefined);
  equal(stackOf(refusal("transient")), undefined);
  match(String(stackOf(refusal("bug"))), /log\.test\.ts/);
  match(String(stackOf(new TypeError("x"))), /^at .* \| at /);
});

test("a Failure says what to do next, and an answer of the server what trouble it is", () => {
  const { log, said } = remembered();
  log.error("failed", new Failure("no", "Do this."));
  equal(lastOf(said())["next"], "Do this.");
  log.error("failed", refusal("transient"));
  equal(lastOf(said())["trouble"], "transient");
});

const canary = "c4nary-9f8e7d6c";
const leaks: readonly (readonly [says: string, fields: Readonly<Record<string, unknown>>])[] = [
  ["a token", { token: canary }],
  ["a password deep inside", { driver: { options: [{ adminPassword: canary }] } }],
  ["a secret", { secretData: { a: canary } }],
  ["an Authorization header", { headers: { Authorization: `Bearer ${canary}` } }],
  ["headers in a list of texts", { headers: [`authorization: Bearer ${canary}`] }],
  ["a header quoted as JSON", { request: `{"authorization":"Bearer ${canary}"}` }],
  ["basic credentials in a text", { said: `sent Basic ${canary}` }],
  ["a password in a URL", { proxy: new URL(`http://user:${canary}@proxy:3128`) }],
  ["a map", { all: new Map([["accessKey", canary]]) }],
  ["bytes", { body: Buffer.from(canary) }],
  ["an error as a field", { problem: new Error(`refused: Bearer ${canary}`) }],
];
for (const [says, fields] of leaks) {
  test(`no secret passes: ${says}`, () => {
    for (const format of ["json", "text"] as const) {
      const { log, said } = remembered({ format });
      log.info("m", fields);
      log.with(fields).warn("m");
      log.error("m", new Error("x"), fields);
      const text = said();
      equal(text.includes(canary), false, text);
      equal(text.includes(canary.slice(2)), false, text);
    }
  });
}

test("no secret passes: in the message, and in a cause", () => {
  const { log, said } = remembered();
  log.error(`sent Authorization: Bearer ${canary}`, new Error("x", { cause: new Error(`Bearer ${canary}`) }));
  const text = said();
  match(text, /redacted/);
  equal(text.includes(canary), false);
});

test("nothing that is said can make it throw", () => {
  const { log, said } = remembered();
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const trap = {
    get bad(): string {
      throw new Error("no");
    },
  };
  const odd = [circle, trap, null, undefined, Number.NaN, Symbol("s"), () => 1, new Date(Number.NaN), new Set([1n])];
  for (const value of odd) {
    doesNotThrow(() => log.info("m", { value }));
    doesNotThrow(() => log.error("m", value));
    ok(lastOf(said()));
  }
  doesNotThrow(() => log.info("m", trap));
});

test("a reader that is gone does not end the process", () => {
  const stream = new PassThrough();
  const log = logTo(stream, { format: "json", verbosity: 0, component: "x" });
  doesNotThrow(() => stream.emit("error", new Error("EPIPE")));
  stream.destroy();
  doesNotThrow(() => log.info("m"));
});
