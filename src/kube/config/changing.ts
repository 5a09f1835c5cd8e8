import { Failure } from "../../api/failure.ts";
import { type Source, stampOf, textOf } from "./source.ts";

/** What some sources mean together, kept until one of their files changes. */
export interface Changing<T> {
  /** Costs one stat a file, and a read only after a change. */
  current(): Promise<T>;
  /** Answers whether reading again can give anything else. */
  forget(): boolean;
}

/** `meaning` throws a Failure for texts that are no good. */
export function changing<T>(sources: readonly Source[], meaning: (texts: readonly string[]) => T): Changing<T> {
  const mayChange = sources.some((source) => "path" in source);
  let kept: { readonly stamps: string; readonly value: T } | undefined;

  // The stamps are taken before the texts: a change in between is then seen by the next look and never missed.
  const look = async (): Promise<T> => {
    if (kept !== undefined && !mayChange) return kept.value;
    const stamps = (await Promise.all(sources.map(stampOf))).join(", ");
    if (kept?.stamps === stamps) return kept.value;
    const value = meaning(await Promise.all(sources.map(textOf)));
    kept = { stamps, value };
    return value;
  };

  return {
    async current() {
      try {
        return await look();
      } catch (problem) {
        // A file that is being replaced can be missing or half written for a moment: the last good one serves until then.
        if (kept === undefined || !(problem instanceof Failure)) throw problem;
        return kept.value;
      }
    },
    forget() {
      if (mayChange) kept = undefined;
      return mayChange;
    },
  };
}
