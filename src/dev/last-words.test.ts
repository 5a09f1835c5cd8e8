import { equal } from "node:assert/strict";
import { test } from "node:test";
import { lastWords } from "./last-words.ts";

const klog = (severity: string, text: string) => `${severity}1116 18:33:57.378019   25323 run.go:74] ${text}`;

const cases: readonly (readonly [says: string, log: string, words: string])[] = [
  ["an empty log", "", "it wrote nothing"],
  ["only chatter: its last line", "starting\nlistening\n\n", "listening"],
  [
    "a cobra error before the usage text",
    "Error: unknown flag: --nonsense\nUsage:\n  kube-apiserver",
    "Error: unknown flag: --nonsense",
  ],
  ["klog's structured error, unquoted", klog("E", '"command failed" err="\\"x\\" is not known"'), '"x" is not known'],
  [
    "a plain klog error after other lines",
    `${klog("I", "fine")}\n${klog("F", "out of luck")}\n${klog("I", "bye")}`,
    "out of luck",
  ],
  [
    "etcd's JSON",
    '{"level":"fatal","msg":"failed","error":"listen tcp 127.0.0.1:1: bind: address already in use"}',
    "listen tcp 127.0.0.1:1: bind: address already in use",
  ],
  ["a panic", "panic: nil map\n\ngoroutine 1 [running]:\nmain.main()", "panic: nil map"],
  ["half a line of JSON", '{"level":"error","msg":"cu', '{"level":"error","msg":"cu'],
];

for (const [says, log, words] of cases) test(`last words of ${says}`, () => equal(lastWords(log), words));
