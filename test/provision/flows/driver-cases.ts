import { nextCall } from "../../driver/beside.ts";
import type { Case } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import { until } from "../../fixture/portway.ts";
import { sceneOn } from "./ground.ts";
import { atCall, explains, inWords, type Line } from "./rpc-cases.ts";

/** The questions with which a process gets to know its driver. Any answer but a wait ends it, and it is started again. */
const questions = ["Probe", "GetPluginInfo", "GetPluginCapabilities", "ControllerGetCapabilities"] as const;

/** The driver is in trouble when the process begins. */
export const calledTier: Tier = () =>
  questions.flatMap((method) =>
    (["lost-reply", "hang", { code: "UNAVAILABLE" }, { code: "INTERNAL" }] as const).map((fault) =>
      atBirth(method, { when: "before", fault }),
    ),
  );

function atBirth(method: (typeof questions)[number], line: Line): Case {
  return {
    says: `${inWords(line)} at ${method} of a new life`,
    endsIt: true,
    arm(stage) {
      const { driver } = sceneOn(stage);
      const planned = nextCall(driver, { method, ...line });
      const disarm = driver.play([planned]);
      void stage.subject.killed();
      return { fired: () => driver.count(method) >= (planned.nth ?? 0), disarm };
    },
  };
}

export const upgradedTier: Tier = () => [
  exchangedAtRest,
  upgradedDuring("the driver comes back with other capabilities during CreateVolume", [
    "--capability=CREATE_DELETE_VOLUME",
  ]),
  upgradedDuring("the driver comes back under another name during CreateVolume", ["--name=other.portway.dev"]),
];

/** Another driver under the address, and no call under way that would tell: the process must notice it all the same. */
const exchangedAtRest: Case = {
  says: "another driver is there while nobody calls it, and the own one again",
  endsIt: true,
  arm(stage) {
    const { driver } = sceneOn(stage);
    const { subject } = stage;
    let isOver = false;
    const exchanged = async () => {
      for (const words of [["--name=other.portway.dev"], []]) {
        const [crashes, lives] = [subject.crashes, driver.count("GetPluginInfo")];
        await driver.comeBack(words);
        await until("the process has noticed it", () => subject.crashes > crashes);
        // One question is that of the old life.
        await until("the next life has met the driver", () => driver.count("GetPluginInfo") >= lives + 2);
      }
      isOver = true;
    };
    exchanged().catch(() => undefined);
    return { fired: () => isOver, disarm: () => undefined };
  },
};

/** The driver dies in the middle of a call and comes back as another one: the process must ask it anew. */
function upgradedDuring(says: string, words: readonly string[]): Case {
  const one = atCall("CreateVolume", { when: "before", fault: "hang" });
  return {
    says,
    explains,
    endsIt: true,
    arm(stage) {
      const { driver } = sceneOn(stage);
      const armed = one.arm(stage);
      const before = stage.subject.crashes;
      let isOver = false;
      const upgraded = until("the driver is at it", () => armed.fired()).then(async () => {
        await driver.comeBack(words);
        await until("the process has noticed it", () => stage.subject.crashes > before);
        await driver.comeBack();
        isOver = true;
      });
      upgraded.catch(() => undefined);
      return { ...armed, fired: () => isOver };
    },
  };
}
