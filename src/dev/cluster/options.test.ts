import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../api/failure.ts";
import { type ClusterWords, clusterOptions } from "./options.ts";

test("no words mean the newest Kubernetes, no add-ons, a free port", () => {
  deepEqual(clusterOptions({}), {
    name: "dev",
    kubernetes: "1.36",
    apiserverArgs: [],
    controllerManagerArgs: [],
    tenants: [],
    addons: [],
  });
});

test("a tenant has a namespace and a role, or neither", () => {
  const { tenants } = clusterOptions({ user: ["alice:team-a:edit", "bob"] });
  deepEqual(tenants, [{ name: "alice", namespace: "team-a", role: "edit" }, { name: "bob" }]);
});

test("an add-on brings what it needs, each once, in starting order", () => {
  deepEqual(clusterOptions({ with: ["provisioner,snapshotter", "provisioner"] }).addons, [
    "hostpath",
    "snapshotter",
    "provisioner",
  ]);
});

const wrong: readonly (readonly [says: string, words: ClusterWords, sentence: RegExp])[] = [
  ["a name that is no label", { name: "../evil" }, /no name for a cluster/],
  ["a version that is not pinned", { kubernetes: "1.20" }, /no pinned Kubernetes 1.20/],
  ["an emulated version with a patch number", { emulate: "1.33.1" }, /no version to emulate/],
  ["an unknown add-on", { with: ["hostpath,frob"] }, /no add-on "frob"/],
  ["an empty add-on", { with: ["hostpath,"] }, /no add-on ""/],
  ["a tenant with a namespace and no role", { user: ["alice:team-a"] }, /--user alice:team-a is not understood/],
  ["a tenant with four words", { user: ["a:b:c:d"] }, /not understood/],
  ["a tenant that breaks out of the token file", { user: ["a,system:masters"] }, /not understood/],
  ["a flag to pass on without dashes", { "kcm-arg": ["v=4"] }, /no flag to pass on/],
  ["a port that is none", { port: "99999" }, /no port/],
  ["a kubeconfig without --existing", { kubeconfig: "/k" }, /only for --existing/],
  ["--existing without a kubeconfig", { existing: true }, /needs --kubeconfig/],
  [
    "--existing with a version",
    { existing: true, kubeconfig: "/k", kubernetes: "1.35" },
    /--kubernetes cannot be used/,
  ],
  ["--existing with a tenant", { existing: true, kubeconfig: "/k", user: ["alice"] }, /--user cannot be used/],
];

for (const [says, words, sentence] of wrong) {
  test(`is refused as a usage error: ${says}`, () => {
    throws(
      () => clusterOptions(words),
      (problem) => {
        equal(problem instanceof Failure && problem.exitCode, 2);
        return sentence.test((problem as Failure).message) && (problem as Failure).next.length > 10;
      },
    );
  });
}
