import { type Lease, leases } from "../../api/gen/coordination.ts";
import type { Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import type { Clock } from "../clock.ts";
import { type Durations, heldSpec, isHeldByOther, releasedSpec, type Sighting, sightingOf } from "./record.ts";

/** Vendors' roles let us get, create and update Leases, and nothing else. */
export type LeaseClient = Pick<Client, "find" | "create" | "update">;

export interface TermOptions {
  readonly client: LeaseClient;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly durations: Durations;
  readonly labels?: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** A write of ours that the server has stored. The term counts from `at`, when it was sent: an answer may be slow. */
export interface Renewal {
  readonly lease: Stored<Lease>;
  readonly at: number;
}

/** Somebody else is in the Lease, or somebody who calls himself like us. */
export interface Usurped {
  readonly by: string;
}

/** The Lease on the server: every method is one attempt, and throws what the server says. */
export interface Term {
  /** Answers who holds it instead when it cannot be ours yet. */
  acquire(signal: AbortSignal): Promise<Renewal | Usurped>;
  renew(held: Stored<Lease>, withinSeconds: number): Promise<Renewal | Usurped>;
  release(held: Stored<Lease> | undefined): Promise<void>;
}

export function termOf({ client, namespace, name, identity, durations, labels, clock }: TermOptions): Term {
  const key = { namespace, name };
  const labelled = (of?: Readonly<Record<string, string>>) =>
    labels === undefined ? {} : { labels: { ...of, ...labels } };
  const { leaseSeconds, renewSeconds } = durations;
  /** So that an attempt that hangs leaves time for another one. */
  const patience = renewSeconds / 2;
  let sighting: Sighting | undefined;
  /** The times we wrote and that may be in the Lease: by them we know our own writes from those of a namesake. */
  const ours = new Set<string>();

  async function write(seen: Stored<Lease> | undefined, timeoutSeconds: number): Promise<Renewal> {
    const spec = heldSpec(seen?.spec, identity, leaseSeconds, clock.wall());
    ours.add(spec.renewTime ?? "");
    const at = clock.now();
    const lease =
      seen === undefined
        ? await client.create(leases, { metadata: { ...key, ...labelled() }, spec }, { timeoutSeconds })
        : await client.update(
            leases,
            { ...seen, metadata: { ...seen.metadata, ...labelled(seen.metadata.labels) }, spec },
            { timeoutSeconds },
          );
    ours.clear();
    ours.add(spec.renewTime ?? "");
    return { lease, at };
  }

  function isOurs({ spec }: Lease): boolean {
    return spec?.holderIdentity === identity && ours.has(spec.renewTime ?? "");
  }

  return {
    async acquire(signal) {
      const seen = await client.find(leases, key, { signal, timeoutSeconds: patience });
      if (seen !== undefined) {
        const now = clock.now();
        sighting = sightingOf(seen, sighting, now);
        if (isHeldByOther(seen, sighting, { identity, now, leaseSeconds }))
          return { by: seen.spec?.holderIdentity ?? "" };
      }
      return await write(seen, patience);
    },
    async renew(held, withinSeconds) {
      const timeoutSeconds = Math.min(patience, withinSeconds);
      try {
        return await write(held, timeoutSeconds);
      } catch (problem) {
        if (!hasMovedOn(problem)) throw problem;
      }
      const seen = await client.find(leases, key, { timeoutSeconds });
      if (seen === undefined || isOurs(seen)) return await write(seen, timeoutSeconds);
      return { by: seen.spec?.holderIdentity === identity ? `another process called ${identity}` : holderIn(seen) };
    },
    async release(held) {
      if (ours.size === 0) return;
      const timeoutSeconds = patience;
      const giveBack = async (seen: Stored<Lease>) => {
        await client.update(leases, { ...seen, spec: releasedSpec(seen.spec, clock.wall()) }, { timeoutSeconds });
      };
      try {
        if (held !== undefined) return await giveBack(held);
      } catch (problem) {
        if (!hasMovedOn(problem)) throw problem;
      }
      // A write of ours may have been stored without an answer.
      const seen = await client.find(leases, key, { timeoutSeconds });
      if (seen !== undefined && isOurs(seen)) await giveBack(seen);
    },
  };
}

function holderIn({ spec }: Lease): string {
  const holder = spec?.holderIdentity ?? "";
  return holder === "" ? "nobody: it was emptied" : holder;
}

/** The Lease is not as we knew it, or gone. */
function hasMovedOn(problem: unknown): boolean {
  return problem instanceof ApiError && problem.trouble === "conflict";
}
