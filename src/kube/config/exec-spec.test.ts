import { equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { failure } from "../../../test/fixture/configuration.ts";
import { execSpec } from "./exec-spec.ts";
import type { ExecWords } from "./kubeconfig.ts";

const words: ExecWords = {
  place: "the exec plugin",
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: [],
  env: {},
  installHint: undefined,
  provideClusterInfo: false,
  interactiveMode: "Never",
};

test("every interactive mode is kept", () => {
  for (const interactiveMode of ["Never", "IfAvailable", "Always"]) {
    equal(execSpec({ ...words, interactiveMode }).interactiveMode, interactiveMode);
  }
});

test("v1beta1 needs no interactive mode", () => {
  const beta = { ...words, apiVersion: "client.authentication.k8s.io/v1beta1", interactiveMode: undefined };
  equal(execSpec(beta).interactiveMode, "IfAvailable");
});

const wrong: readonly (readonly [says: string, change: Partial<ExecWords>, sentence: RegExp])[] = [
  ["v1 without an interactive mode", { interactiveMode: undefined }, /the exec plugin has no interactiveMode/],
  ["an unknown interactive mode", { interactiveMode: "Often" }, /unknown interactiveMode "Often"/],
  ["no version", { apiVersion: undefined }, /has the apiVersion "", which is not supported/],
  [
    "a version of the past",
    { apiVersion: "client.authentication.k8s.io/v1alpha1" },
    /v1alpha1", which is not supported/,
  ],
  ["no command", { command: undefined }, /the exec plugin names no command/],
];

for (const [says, change, sentence] of wrong) {
  test(`is refused: ${says}`, () => throws(() => execSpec({ ...words, ...change }), failure(sentence)));
}
