import type { Lease } from "../../src/api/gen/coordination.ts";
import { inWords } from "./order.ts";
import type { WriteRecord } from "./proxy/write-record.ts";

/** What one replica wrote, Leases included, as a proxy of its own saw it. All proxies are in one process: one clock. */
export interface Replica {
  readonly identity: string;
  readonly log: readonly WriteRecord[];
}

interface Term {
  readonly holder: string;
  /** When the write arrived that made it the holder. */
  readonly from: number;
}

/** G9: whoever writes holds the Lease at that moment. One sentence a write that does not. */
export function outsideItsTerm(replicas: readonly Replica[]): readonly string[] {
  const terms = termsIn(replicas);
  return replicas.flatMap(({ identity, log }) =>
    log
      .filter(({ resource }) => resource !== "leases")
      .filter(({ at }) => holderAt(terms, at) !== identity)
      .map(
        (write) => `G9 ${identity} wrote in the term of ${holderAt(terms, write.at) || "nobody"}: ${inWords(write)}`,
      ),
  );
}

/** Every change of the holder that the server has stored, in its order. */
export function termsIn(replicas: readonly Replica[]): readonly Term[] {
  const stored = replicas
    .flatMap(({ log }) => log)
    .filter(({ resource, answer }) => resource === "leases" && answer !== undefined)
    .sort((a, b) => versionOf(a) - versionOf(b));
  const terms: Term[] = [];
  for (const { at, answer } of stored) {
    const holder = (answer as Lease).spec?.holderIdentity ?? "";
    if (terms.at(-1)?.holder !== holder) terms.push({ holder, from: at });
  }
  return terms;
}

function holderAt(terms: readonly Term[], at: number): string | undefined {
  return terms.findLast(({ from }) => from <= at)?.holder;
}

function versionOf({ answer }: WriteRecord): number {
  return Number(answer?.metadata.resourceVersion ?? "0");
}
