/** One setting in which both programs are measured. */
export interface Stage {
  readonly name: StageName;
  readonly driver: "host-path" | "fast";
  /** How long the fast driver takes for each call. */
  readonly delayMilliseconds: number;
  readonly flags: readonly string[];
  readonly claims: number;
  readonly rounds: number;
  /** All claims are there, and the binder has spoken, before the program starts: its own pace, and nobody else's. */
  readonly isBacklog?: true;
}

export type StageName = "host-path" | "0 ms" | "50 ms" | "backlog at 0 ms" | "shipped defaults";

export interface Work {
  readonly stages: readonly Stage[];
  /** Made one after another, to see how long one takes when nothing else goes on. */
  readonly alone: number;
  /** Held while memory is measured. */
  readonly held: number;
}

/** What vendors set when the defaults are too slow for them, and more: nobody waits for a limit of its own. */
export const raised = ["--kube-api-qps=2000", "--kube-api-burst=4000"];

export const fullWork: Work = {
  stages: [
    // Each call takes the longer the more volumes it has: with more of them the driver alone would be measured.
    { name: "host-path", driver: "host-path", delayMilliseconds: 0, flags: raised, claims: 200, rounds: 3 },
    { name: "0 ms", driver: "fast", delayMilliseconds: 0, flags: raised, claims: 1000, rounds: 3 },
    { name: "50 ms", driver: "fast", delayMilliseconds: 50, flags: raised, claims: 1000, rounds: 1 },
    {
      name: "backlog at 0 ms",
      driver: "fast",
      delayMilliseconds: 0,
      flags: raised,
      claims: 1000,
      rounds: 1,
      isBacklog: true,
    },
    { name: "shipped defaults", driver: "fast", delayMilliseconds: 0, flags: [], claims: 150, rounds: 1 },
  ],
  alone: 30,
  held: 10_000,
};

/** To see that it works. */
export const shortWork: Work = {
  stages: fullWork.stages.map((stage) => ({ ...stage, claims: stage.flags.length === 0 ? 20 : 50, rounds: 1 })),
  alone: 3,
  held: 100,
};
