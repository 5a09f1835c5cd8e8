import type { BucketContent } from "../../../src/api/gen/cosi.ts";
import type { ArmedCase, Case } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { until } from "../../fixture/portway.ts";
import type { RealParts } from "./keeper.ts";
import { sceneOn } from "./scene.ts";

/** People are told of it, and whoever asked again has told that it begins. */
const explains = 3;

interface Trouble {
  readonly says: string;
  begin(parts: RealParts, stage: Stage): Promise<unknown>;
  end(parts: RealParts, stage: Stage): Promise<unknown>;
}

/** What becomes of the store, or of the driver before it, until somebody puts it right. */
const troubles: readonly Trouble[] = [
  { says: "the store is down", begin: ({ store }) => store.stop(), end: ({ store }) => store.start() },
  {
    says: "the store does not answer",
    begin: async ({ store }) => store.freeze(),
    end: async ({ store }) => store.thaw(),
  },
  {
    says: "the driver has a root key that the store does not know",
    async begin({ driver, mistaken }) {
      await driver.stopped();
      await mistaken.start();
    },
    async end({ driver, mistaken }) {
      await mistaken.stopped();
      await driver.start();
    },
  },
  { says: "the driver is gone", begin: ({ driver }) => driver.killed(), end: ({ driver }) => driver.start() },
  {
    says: "the driver is killed while the store does not answer it",
    begin: async ({ store }) => store.freeze(),
    async end({ store, driver }) {
      await driver.killed();
      store.thaw();
      await driver.start();
    },
  },
  {
    says: "the process is killed while the store does not answer",
    begin: async ({ store }) => store.freeze(),
    async end({ store }, { subject }) {
      await subject.killed();
      store.thaw();
    },
  },
];

/** Each of them while the bucket is made, and while everything is taken back. */
export const storeTier: Tier = () => troubles.flatMap((trouble) => [whileMade(trouble), whileTakenBack(trouble)]);

function whileMade(trouble: Trouble): Case {
  return {
    says: `${trouble.says} when a bucket is made`,
    explains,
    tells: true,
    arm: (stage) => lasting(trouble, stage, (begin) => void begin()),
  };
}

function whileTakenBack(trouble: Trouble): Case {
  return {
    says: `${trouble.says} when everything is taken back`,
    explains,
    tells: true,
    arm(stage) {
      const scene = sceneOn(stage);
      const armed = lasting(trouble, stage, (begin) => void (scene.beforeDeletion = begin));
      return {
        ...armed,
        disarm() {
          scene.beforeDeletion = async () => undefined;
          armed.disarm();
        },
      };
    },
  };
}

/** It lasts until people have been told of it: otherwise nobody may have met it. */
function lasting(trouble: Trouble, stage: Stage, arrange: (begin: () => Promise<void>) => void): ArmedCase {
  const { real } = sceneOn(stage).keeper;
  if (real === undefined) throw new Error("a scripted driver has no store that can fail");
  let isOver = false;
  const problems: string[] = [];
  const isTold = () =>
    stage.monitor
      .current("bucketcontents")
      .map(({ object }) => (object as BucketContent).status?.phase)
      .some((phase) => phase === "Retrying" || phase === "Failed");
  const lasts = async () => {
    await until("people are told of it", isTold);
    await trouble.end(real, stage);
    isOver = true;
  };
  arrange(async () => {
    await trouble.begin(real, stage);
    lasts().catch((one: Error) => problems.push(one.message));
  });
  return {
    fired: () => isOver,
    judge: async () => problems,
    disarm: () => undefined,
  };
}
