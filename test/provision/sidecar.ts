import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import { type Component, startComponent } from "../../src/dev/component.ts";
import { freePort } from "../../src/dev/ports.ts";
import { isOk } from "../../src/dev/probe.ts";
import { randomWord } from "../fixture/client.ts";
import { removeAccount, vendorAccount } from "./compare/account.ts";
import { commandLine, type ProgramName } from "./compare/program.ts";
import { partsOfComparison } from "./compare/side.ts";

/** An account with exactly the rights that upstream ships, and a driver's socket: either program runs with it. */
export interface Post {
  /** Where its account and its Leases are. */
  readonly namespace: string;
  start(program: ProgramName, ...more: readonly string[]): Promise<Component>;
  startWith(
    env: Readonly<Record<string, string>>,
    program: ProgramName,
    ...more: readonly string[]
  ): Promise<Component>;
  /** Further rules for the account. */
  allow(rules: readonly object[]): Promise<void>;
}

export async function postAt(t: TestContext, cluster: Handle, socket: string): Promise<Post> {
  const { provisioner } = await partsOfComparison();
  const namespace = `t-${randomWord()}`;
  t.after(() => removeAccount(cluster, namespace));
  const rights = { namespace, readsSecrets: false };
  const kubeconfig = await vendorAccount(cluster, provisioner.file("rbac.yaml"), rights);
  const logs = await mkdtemp(join(tmpdir(), "pw-"));
  t.after(() => rm(logs, { recursive: true, force: true }));
  const post: Post = {
    namespace,
    start: (name, ...more) => post.startWith({}, name, ...more),
    async allow(rules) {
      const metadata = { name: `more-${namespace}` };
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", ...metadata };
      const subjects = [{ kind: "ServiceAccount", namespace, name: "csi-provisioner" }];
      const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
      const objects = [
        { ...rbac, kind: "ClusterRole", metadata, rules },
        { ...rbac, kind: "ClusterRoleBinding", metadata, roleRef, subjects },
      ];
      await cluster.apply(objects.map((object) => JSON.stringify(object)).join("\n---\n"));
      t.after(() => cluster.kubectl(["delete", "clusterrole,clusterrolebinding", metadata.name]));
    },
    async startWith(env, name, ...more) {
      const port = await freePort();
      const goProgram = provisioner.program("csi-provisioner");
      const line = commandLine(name, goProgram, { kubeconfig, namespace, socket, port, more });
      const component = await startComponent(
        {
          ...line,
          name: `${name} csi-provisioner`,
          // KUBECONFIG would win over the flag.
          env: { KUBECONFIG: "", ...env },
          logFile: join(logs, `${name}-${port}.log`),
          isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
        },
        AbortSignal.any([]),
      );
      t.after(() => component.stop());
      return component;
    },
  };
  return post;
}
