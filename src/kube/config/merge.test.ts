import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { merge } from "./merge.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

const first = parseKubeconfig(
  "/one/config",
  `
contexts: [{ name: shared, context: { cluster: a } }]
clusters: [{ name: a, cluster: { server: https://one } }]
users: [{ name: alice, user: { token: one } }]
`,
);
const second = parseKubeconfig(
  "/two/config",
  `
current-context: second
contexts: [{ name: shared, context: { cluster: b, namespace: team } }, { name: second, context: { cluster: b } }]
clusters: [{ name: a, cluster: { server: https://two } }, { name: b, cluster: { certificate-authority: ca.crt } }]
users: [{ name: alice, user: { username: alice, password: two } }]
`,
);
const third = parseKubeconfig("/three/config", "current-context: third\n");

test("the first file to have an entry wins, and nothing of the others is mixed into it", () => {
  const merged = merge([first, second]);
  deepEqual(merged.contexts.get("shared"), { cluster: "a", user: undefined, namespace: undefined });
  equal(merged.clusters.get("a")?.server, "https://one");
  equal(merged.users.get("alice")?.username, undefined);
});

test("entries of later files are there too, with paths from their own directory", () => {
  const ca = merge([first, second]).clusters.get("b")?.ca;
  equal(ca && "path" in ca && ca.path, "/two/ca.crt");
});

test("the current context comes from the first file that sets one", () => {
  equal(merge([first, second, third]).currentContext, "second");
  equal(merge([third, second]).currentContext, "third");
});

test("nothing merges to nothing", () => {
  deepEqual(merge([]).files, []);
  equal(merge([]).currentContext, undefined);
});
