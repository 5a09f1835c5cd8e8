import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import type { KubeObject, Resource } from "../../api/object.ts";
import { ApiError } from "../../kube/errors.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { printDone } from "../kubectl/print.ts";
import type { Session } from "../kubectl/session.ts";
import { isFragment, type Wanted } from "./documents.ts";

export interface Sending {
  readonly dryRun: DryRun;
  readonly force: boolean;
}

export interface Addressed extends Wanted {
  readonly resource: Resource;
}

/** Finds out where each belongs before the first one is sent: a slip in the third must not leave two behind. */
export async function addressed(
  { discovery, namespace }: Session,
  wanted: readonly Wanted[],
): Promise<readonly Addressed[]> {
  const all: Addressed[] = [];
  for (const one of wanted) {
    const { apiVersion = "", kind = "", metadata } = one.object;
    const resource = await discovery.find(apiVersion, kind);
    if (resource === undefined)
      throw new Failure(
        `${one.place}: the cluster does not serve the kind ${kind} of ${apiVersion}`,
        "Check apiVersion and kind: kubectl api-resources lists what there is.",
      );
    const place = resource.namespaced ? { namespace: metadata.namespace ?? namespace } : {};
    all.push({ ...one, resource, object: { ...one.object, metadata: { ...metadata, ...place } } });
  }
  return all;
}

export async function sendAll(session: Session, all: readonly Addressed[], how: Sending): Promise<void> {
  for (const one of all) await sendOne(session, one, how);
}

async function sendOne(session: Session, one: Addressed, how: Sending): Promise<void> {
  const { resource, object, place } = one;
  if (how.dryRun === "client") return await printDone(session, resource, object, "rewritten", how.dryRun);
  try {
    const { stored, done } = await storedBy(session, one, how);
    await printDone(session, resource, stored, done, how.dryRun);
  } catch (problem) {
    if (problem instanceof ApiError) session.terminal.say(`in ${place}:`);
    throw problem;
  }
}

async function storedBy(
  { client }: Session,
  { resource, object }: Addressed,
  { dryRun, force }: Sending,
): Promise<{ readonly stored: KubeObject; readonly done: string }> {
  const options = { dryRun: dryRun === "server" };
  const { name, namespace, labels, annotations } = object.metadata;
  if (name === undefined) return { stored: await client.create(resource, object, options), done: "created" };
  const key = { name, ...defined({ namespace }) };
  if (isFragment(object) && (await client.find(resource, key)) !== undefined) {
    const change = { metadata: defined({ labels, annotations }) };
    return { stored: await client.merge(resource, key, change, options), done: "patched" };
  }
  return { stored: await client.apply(resource, object, { ...options, force }), done: "serverside-applied" };
}
