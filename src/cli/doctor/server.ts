import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import { type Finding, fault, ok, unseen } from "./finding.ts";

/** The oldest that the tests run against. */
const oldest = { major: 1, minor: 33 } as const;

export interface Server {
  readonly finding: Finding;
  /** The server's own time: the clock of the person's machine may be off, and a lease is judged by seconds. */
  readonly now: Date;
}

export async function lookAtServer(client: Client, ours: string): Promise<Server> {
  try {
    const { text, headers } = await client.raw({ method: "GET", path: "/version" });
    const { gitVersion = "unknown" } = JSON.parse(text) as { readonly gitVersion?: string };
    const told = Date.parse(String(headers["date"] ?? ""));
    return { finding: versionFinding(gitVersion, ours), now: Number.isNaN(told) ? new Date() : new Date(told) };
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.code !== 403) throw problem;
    return { finding: unseen("versions", "the server's version"), now: new Date() };
  }
}

export function versionFinding(server: string, ours: string): Finding {
  const both = `Kubernetes ${server}, kubectl portway ${ours}`;
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(server) ?? [];
  const isOld = Number(major) < oldest.major || (Number(major) === oldest.major && Number(minor) < oldest.minor);
  if (!isOld) return ok("versions", both);
  const least = `${oldest.major}.${oldest.minor}`;
  return fault("versions", `${both}: Portway is tested with ${least} and newer`, `Update the cluster to ${least}.`);
}
