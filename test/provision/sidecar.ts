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
  start(program: ProgramName, ...more: readonly string[]): Promise<Component>;
}

export async function postAt(t: TestContext, cluster: Handle, socket: string): Promise<Post> {
  const { provisioner } = await partsOfComparison();
  const namespace = `t-${randomWord()}`;
  t.after(() => removeAccount(cluster, namespace));
  const rights = { namespace, readsSecrets: false };
  const kubeconfig = await vendorAccount(cluster, provisioner.file("rbac.yaml"), rights);
  const logs = await mkdtemp(join(tmpdir(), "pw-"));
  t.after(() => rm(logs, { recursive: true, force: true }));
  return {
    async start(name, ...more) {
      const port = await freePort();
      const goProgram = provisioner.program("csi-provisioner");
      const line = commandLine(name, goProgram, { kubeconfig, namespace, socket, port, more });
      const component = await startComponent(
        {
          ...line,
          name: `${name} csi-provisioner`,
          // KUBECONFIG would win over the flag.
          env: { KUBECONFIG: "" },
          logFile: join(logs, `${name}-${port}.log`),
          isReady: () => isOk(`http://127.0.0.1:${port}/metrics`),
        },
        AbortSignal.any([]),
      );
      t.after(() => component.stop());
      return component;
    },
  };
}
