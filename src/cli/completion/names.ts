import { namespaces, persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { bucketClasses, buckets } from "../../api/gen/cosi.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Resource } from "../../api/object.ts";
import { anyJournalOn } from "../../api/transfer/journal.ts";
import type { Call, Completes } from "../command.ts";
import { type Eyes, eyesOf, valueOf } from "../kubectl/eyes.ts";
import type { ClientFlagValues } from "../kubectl/flags.ts";
import { inSession, type Session } from "../kubectl/session.ts";
import type { Offer } from "./complete.ts";

type Namer = (session: Session, eyes: Eyes, partial: string) => Promise<Offer>;

const namers: Readonly<Record<Completes | "namespace", Namer>> = {
  namespace: async (_, eyes) => offer(await namesOf(eyes, namespaces)),
  claim: async ({ namespace }, eyes) => offer(await namesOf(eyes, persistentVolumeClaims, namespace)),
  request: async ({ namespace }, eyes) => offer(await namesOf(eyes, storageTransferRequests, namespace)),
  "other claim": (_, eyes, partial) => elsewhere(eyes, persistentVolumeClaims, partial),
  "other request": (_, eyes, partial) => elsewhere(eyes, storageTransferRequests, partial),
  async consent({ namespace }, eyes) {
    const requests = await namesOf(eyes, storageTransferRequests, namespace);
    return offer([...requests, ...(await namesOf(eyes, storageTransferApprovals, namespace))]);
  },
  async object({ namespace }, eyes, partial) {
    const [type = "", ...more] = partial.split("/");
    const resource = explained[type];
    if (more.length === 0 || resource === undefined)
      return { values: Object.keys(explained).map((name) => [`${name}/`]), stays: true };
    const names = await namesOf(eyes, resource, resource.namespaced ? namespace : undefined);
    return offer(names.map((name) => `${type}/${name}`));
  },
  async volume(_, eyes) {
    const all = valueOf(await eyes.list(persistentVolumes)) ?? [];
    const orphans = all.filter((volume) => anyJournalOn(volume)?.outcome === "orphaned");
    return offer(orphans.map(({ metadata }) => metadata.name));
  },
  bucket: async ({ namespace }, eyes) => offer(await namesOf(eyes, buckets, namespace)),
  "bucket class": async (_, eyes) => offer(await namesOf(eyes, bucketClasses)),
};

const explained: Readonly<Record<string, Resource>> = {
  request: storageTransferRequests,
  approval: storageTransferApprovals,
  pvc: persistentVolumeClaims,
  pv: persistentVolumes,
  bucket: buckets,
};

/** Somebody who presses Tab waits for a moment only, and wants names or nothing. */
const patience = "3s";

export async function namesFor(
  kind: Completes | "namespace",
  partial: string,
  flags: ClientFlagValues,
  around: Pick<Call, "terminal" | "env" | "stop" | "version">,
): Promise<Offer> {
  try {
    return await inSession(
      around,
      { ...flags, output: undefined, v: undefined, "request-timeout": patience },
      async (session) => {
        const { values, ...rest } = await namers[kind](session, eyesOf(session.client), partial);
        return { values: values.filter(([value]) => value.startsWith(partial)), ...rest };
      },
    );
  } catch {
    return { values: [] };
  }
}

function offer(names: readonly string[]): Offer {
  return { values: names.map((name) => [name]) };
}

async function namesOf(eyes: Eyes, resource: Resource, namespace?: string): Promise<readonly string[]> {
  const all = valueOf(await eyes.list(resource, namespace === undefined ? {} : { namespace })) ?? [];
  return all.map(({ metadata }) => metadata.name);
}

/** First the namespace, then what is in it. */
async function elsewhere(eyes: Eyes, resource: Resource, partial: string): Promise<Offer> {
  if (!partial.includes("/"))
    return { values: (await namesOf(eyes, namespaces)).map((name) => [`${name}/`]), stays: true };
  const namespace = partial.slice(0, partial.indexOf("/"));
  return offer((await namesOf(eyes, resource, namespace)).map((name) => `${namespace}/${name}`));
}
