import { cosiRegistrations } from "../../../src/api/gen/cosi.ts";
import type { Fault } from "../../faults/proxy/faults.ts";
import type { Case } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import { drop } from "./drop.ts";
import { sceneOn } from "./scene.ts";

const faults: readonly Fault[] = [
  { kind: "kill-before" },
  { kind: "kill-after" },
  { kind: "lose-reply" },
  { kind: "answer", code: 409 },
  { kind: "answer", code: 500 },
  { kind: "answer", code: 403 },
  { kind: "timeout" },
  { kind: "applied-then-timeout" },
];

/** Somebody deletes the registration, and the sidecar does nothing in its driver's name before it has it again. */
export const registrationTier: Tier = () => faults.map(registeredAnew);

function registeredAnew(fault: Fault): Case {
  const code = fault.kind === "answer" ? ` ${fault.code}` : "";
  return {
    says: `the registration is deleted, and a ${fault.kind}${code} meets the next one`,
    explains: 1,
    tells: true,
    arm(stage) {
      const { name } = sceneOn(stage).keeper;
      const armed = stage.proxy.arm({
        site: ({ resource }) => resource === cosiRegistrations.plural,
        fault,
        kill: () => stage.subject.killed(),
      });
      void drop(stage.admin, cosiRegistrations, { name });
      return armed;
    },
  };
}
