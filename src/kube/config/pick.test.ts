import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { failure } from "../../../test/fixture/configuration.ts";
import { merge } from "./merge.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";
import { type Choice, pick } from "./pick.ts";

const text = `
current-context: dev
contexts:
- { name: dev, context: { cluster: here, user: alice, namespace: team-a } }
- { name: prod, context: { cluster: there } }
- { name: bare, context: {} }
- { name: torn, context: { cluster: gone, user: alice } }
- { name: stray, context: { cluster: here, user: nobody } }
clusters: [{ name: here }, { name: there }]
users: [{ name: alice }, { name: bob }]
`;
const config = parseKubeconfig("/k", text);
const placeless = parseKubeconfig("/k", text.replace("current-context: dev", ""));

const picks: readonly (readonly [says: string, choice: Choice, picked: readonly (string | undefined)[]])[] = [
  ["the current context", {}, ["here", "alice", "team-a"]],
  ["another context", { context: "prod" }, ["there", undefined, "default"]],
  ["another cluster", { cluster: "there" }, ["there", "alice", "team-a"]],
  ["another user", { user: "bob" }, ["here", "bob", "team-a"]],
  ["another namespace", { namespace: "team-b" }, ["here", "alice", "team-b"]],
  ["a server for a context that has none", { context: "bare", server: "https://x" }, [undefined, undefined, "default"]],
];

for (const [says, choice, [cluster, user, namespace]] of picks) {
  test(`picks ${says}`, () => {
    const picked = pick(config, choice);
    equal(picked.cluster?.place, cluster && `cluster "${cluster}" in /k`);
    equal(picked.user?.place, user && `user "${user}" in /k`);
    equal(picked.namespace, namespace);
  });
}

test("without a current context, a cluster is enough", () => {
  deepEqual(pick(placeless, { cluster: "here" }).cluster?.place, 'cluster "here" in /k');
});

const known = /Known contexts: bare, dev, prod, stray, torn\./;
const wrong: readonly (readonly [says: string, choice: Choice, sentence: RegExp, next: RegExp])[] = [
  ["an unknown context", { context: "x" }, /there is no context "x" in \/k$/, known],
  ["an unknown cluster", { cluster: "x" }, /there is no cluster "x" in \/k$/, /Known clusters: here, there\./],
  ["an unknown user", { user: "x" }, /there is no user "x" in \/k$/, /Known users: alice, bob\./],
  ["a context with an unknown cluster", { context: "torn" }, /there is no cluster "gone" in \/k/, /here, there/],
  ["a context with an unknown user", { context: "stray" }, /there is no user "nobody" in \/k/, /alice, bob/],
  ["a context without a cluster", { context: "bare" }, /context "bare" in \/k names no cluster/, /--cluster/],
];

for (const [says, choice, sentence, next] of wrong) {
  test(`is refused with what there is: ${says}`, () => throws(() => pick(config, choice), failure(sentence, next)));
}

test("no current context is refused with the contexts there are", () => {
  throws(() => pick(placeless, {}), failure(/no current context is set in \/k/, known));
});

test("every file that was looked at is named", () => {
  const both = merge([config, parseKubeconfig("/l", "kind: Config")]);
  throws(() => pick(both, { user: "x" }), failure(/no user "x" in \/k, \/l$/));
});

test("a name is refused when there is no kubeconfig to find it in", () => {
  throws(
    () => pick(merge([]), { context: "x" }),
    failure(/no context "x" in any kubeconfig: none was found/, /no context at all/),
  );
});
