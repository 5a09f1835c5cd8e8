import { Failure } from "../../api/failure.ts";
import { confirm } from "../kubectl/confirm.ts";
import type { DryRun } from "../kubectl/flags.ts";
import { freshEnding } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { answerTo } from "../transfer/rehearsal.ts";

/** Tells those that were written together from others: `kubectl get -l`, `kubectl portway status -l`. */
export const batchLabel = "transfer.portway.dev/batch";

/** One of many writes that are to be done together. */
export interface Item {
  /** As in "the give of team-a/data". */
  readonly what: string;
  /** Line of the plan. */
  readonly says: string;
  write(options: { readonly dryRun: boolean }): Promise<unknown>;
}

export interface How {
  readonly isAgreed: boolean;
  readonly dryRun: DryRun;
}

/** Done to all that have these labels. */
export interface Bulk extends How {
  readonly selector: string;
}

/** As many requests at a time as a server takes from one person without making others wait. */
const atATime = 8;

export function newBatch(): string {
  return `batch-${freshEnding()}`;
}

/**
 * The server is asked about every single one before the first is written: who may give only nine of ten claims gives none.
 * Between that and the writes somebody may change something, so what failed after all is named, and nothing is taken back.
 */
export async function inOneGo(session: Session, title: string, items: readonly Item[], how: How): Promise<void> {
  const { terminal } = session;
  const tried = await each(items, session, `${title}: tried`, (item) =>
    answerTo(item.what, () => item.write({ dryRun: true })),
  );
  const refused = tried.filter(({ answer }) => answer !== "would work");
  if (refused.length > 0)
    throw new Failure(
      [
        `${refused.length} of ${items.length} would be refused, so nothing was changed:`,
        ...refused.map(({ what, words = "" }) => `  - ${what}: ${words}`),
      ].join("\n"),
      "Mend what is said there, or choose others with -l.",
    );
  await confirm(
    terminal,
    [`${title}:`, ...items.map(({ says }) => `  - ${says}`)],
    how.isAgreed || how.dryRun !== "none",
  );
  if (how.dryRun !== "none") return terminal.say(`All ${items.length} would work; nothing was changed.`);
  const done = await each(items, session, title, (item) => answerTo(item.what, () => item.write({ dryRun: false })));
  const failed = done.filter(({ answer }) => answer !== "would work");
  if (failed.length === 0) return;
  throw new Failure(
    [
      `${items.length - failed.length} of ${items.length} are done; these failed after all:`,
      ...failed.map(({ what, words = "" }) => `  - ${what}: ${words}`),
    ].join("\n"),
    "The others stand, and carry the label of this batch. Mend these, and do them one by one.",
  );
}

/** A few at a time, in order, with one line that counts. */
async function each<R>(
  items: readonly Item[],
  { terminal, stop }: Session,
  title: string,
  work: (item: Item) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let [next, done] = [0, 0];
  async function worker(): Promise<void> {
    for (let n = next++; n < items.length; n = next++) {
      const item = items[n];
      if (item === undefined) return;
      stop.throwIfAborted();
      results[n] = await work(item);
      done += 1;
      terminal.progress(`${title}: ${done} of ${items.length}`);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
  return results;
}

export function requireSome<T>(found: readonly T[], what: string, selector: string): readonly T[] {
  if (found.length > 0) return found;
  throw new Failure(`no ${what} has the labels ${selector}`, "kubectl get -l shows what a selector finds.");
}
