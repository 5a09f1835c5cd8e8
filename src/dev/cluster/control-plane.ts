import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../api/failure.ts";
import { type Component, type ComponentSpec, startComponent } from "../component.ts";
import { freePort, isFree } from "../ports.ts";
import { isOk, probe } from "../probe.ts";
import {
  apiserverArguments,
  controllerManagerArguments,
  etcdArguments,
  type Layout,
  schedulerArguments,
} from "./arguments.ts";
import { admin, type Identity } from "./credentials.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import type { ClusterOptions } from "./options.ts";
import type { Programs } from "./programs.ts";

export interface ControlPlane {
  readonly server: string;
  readonly version: string;
  readonly kubeconfigs: Readonly<Record<string, string>>;
}

interface Plan {
  readonly layout: Layout;
  readonly options: ClusterOptions;
  readonly programs: Programs;
  readonly identities: readonly Identity[];
  readonly stop: AbortSignal;
  /** Told of each process as soon as it runs, so that a start that fails later still stops it. */
  readonly started: (component: Component) => void;
}

export async function startControlPlane(plan: Plan): Promise<ControlPlane> {
  const etcdPort = await startEtcd(plan);
  const server = await startApiserver(plan, etcdPort);
  const kubeconfigs = await writeKubeconfigs(plan, server);
  await together([startControllerManager(plan, kubeconfigs), startScheduler(plan, kubeconfigs)]);
  const version = await untilUsable(plan, server);
  return { server, version, kubeconfigs };
}

async function startEtcd(plan: Plan): Promise<number> {
  return await onFreePort(plan, async (client) => {
    const ports = { client, peer: await freePort() };
    return {
      name: "etcd",
      program: plan.programs.etcd,
      args: etcdArguments(plan.layout, ports),
      isReady: () => isOk(`http://127.0.0.1:${client}/health`),
    };
  });
}

async function startApiserver(plan: Plan, etcdPort: number): Promise<string> {
  const { layout, options } = plan;
  if (options.port !== undefined && !(await isFree(options.port))) {
    throw new Failure(`port ${options.port} is in use`, "Choose another --port, or leave it out to get a free one.");
  }
  const port = await onFreePort(plan, async (free) => {
    const port = options.port ?? free;
    return {
      name: "kube-apiserver",
      program: plan.programs["kube-apiserver"],
      args: apiserverArguments(layout, etcdPort, port, options),
      isReady: async () =>
        await isOk(`https://127.0.0.1:${port}/readyz`, { token: adminToken(plan), ca: await servingCa(layout) }),
    };
  });
  return `https://127.0.0.1:${options.port ?? port}`;
}

async function startControllerManager(plan: Plan, kubeconfigs: Readonly<Record<string, string>>): Promise<void> {
  const kubeconfig = kubeconfigs["system:kube-controller-manager"] ?? "";
  await onFreePort(plan, async (port) => ({
    name: "kube-controller-manager",
    program: plan.programs["kube-controller-manager"],
    args: controllerManagerArguments(plan.layout, kubeconfig, port, plan.options),
    isReady: () => isOk(`https://127.0.0.1:${port}/healthz`),
  }));
}

async function startScheduler(plan: Plan, kubeconfigs: Readonly<Record<string, string>>): Promise<void> {
  const kubeconfig = kubeconfigs["system:kube-scheduler"] ?? "";
  await onFreePort(plan, async (port) => ({
    name: "kube-scheduler",
    program: plan.programs["kube-scheduler"],
    args: schedulerArguments(kubeconfig, port, plan.options),
    isReady: () => isOk(`https://127.0.0.1:${port}/healthz`),
  }));
}

/** Waits for all of them even if one fails: a process that comes up after the cluster was given up would stay for ever. */
async function together(starts: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

const portTries = 3;

/** Starts a component on a free port; if somebody was quicker at binding it, on another one. */
async function onFreePort(
  plan: Plan,
  specOn: (port: number) => Promise<Omit<ComponentSpec, "logFile">>,
): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const spec = await specOn(port);
    try {
      plan.started(await startComponent({ ...spec, logFile: join(plan.layout.logs, `${spec.name}.log`) }, plan.stop));
      return port;
    } catch (problem) {
      const taken = problem instanceof Failure && problem.message.includes("address already in use");
      if (!taken || tries === portTries) throw problem;
    }
  }
}

async function writeKubeconfigs(
  { layout, identities, options }: Plan,
  server: string,
): Promise<Readonly<Record<string, string>>> {
  const written = identities.map(async ({ user, token }) => {
    const namespace = options.tenants.find((t) => t.name === user)?.namespace;
    const access = { server, certificateAuthority: layout.servingCertificate, user, token };
    const path = join(layout.kubeconfigs, `${user.replaceAll(":", "-")}.json`);
    return [user, await writeKubeconfig(path, namespace === undefined ? access : { ...access, namespace })] as const;
  });
  return Object.fromEntries(await Promise.all(written));
}

/** Usable means that the controllers have done their first round: roles are aggregated, service accounts are made. */
async function untilUsable(plan: Plan, server: string): Promise<string> {
  const how = { token: adminToken(plan), ca: await servingCa(plan.layout) };
  const role = "apis/rbac.authorization.k8s.io/v1/clusterroles/edit";
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    plan.stop.throwIfAborted();
    const [edit, account] = await Promise.all([
      probe(`${server}/${role}`, how),
      probe(`${server}/api/v1/namespaces/default/serviceaccounts/default`, how),
    ]);
    const rules = edit?.status === 200 ? (JSON.parse(edit.body) as { rules?: unknown[] | null }).rules : [];
    if (account?.status === 200 && (rules?.length ?? 0) > 0) {
      const version = await probe(`${server}/version`, how);
      return (JSON.parse(version?.body ?? "{}") as { gitVersion?: string }).gitVersion ?? "unknown";
    }
    await sleep(50);
  }
  throw new Failure("the controllers did not finish their first round in 60 s", `The logs are in ${plan.layout.logs}`);
}

function adminToken({ identities }: Plan): string {
  return identities.find(({ user }) => user === admin)?.token ?? "";
}

/** The server makes its certificate at its first start; until then there is nothing to trust, and nothing is trusted. */
async function servingCa(layout: Layout): Promise<string> {
  return await readFile(layout.servingCertificate, "utf8").catch(() => "not there yet");
}
