/** ok: as it should be. note: worth knowing, and nobody's fault. unseen: hidden from this person. fault: somebody must act. */
export type Standing = "ok" | "note" | "unseen" | "fault";

/** One thing that was looked at. */
export interface Finding {
  readonly about: string;
  readonly is: Standing;
  readonly says: string;
  /** What to do about it; for all that is not ok. */
  readonly next?: string;
}

export function ok(about: string, says: string): Finding {
  return { about, is: "ok", says };
}

export function note(about: string, says: string, next: string): Finding {
  return { about, is: "note", says, next };
}

export function fault(about: string, says: string, next: string): Finding {
  return { about, is: "fault", says, next };
}

/** Not to see it says nothing about it, neither good nor bad. */
export function unseen(about: string, what: string): Finding {
  return {
    about,
    is: "unseen",
    says: `you may not see ${what}`,
    next: "Ask somebody who administers the cluster to run this.",
  };
}
