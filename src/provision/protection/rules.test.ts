import { boolean, constantFrom, integer, record } from "fast-check";
import { tableTests } from "../../../test/fixture/table-kit.ts";
import { protecting } from "./rules.ts";
import type { Source } from "./seen.ts";

const states = record<Source>({
  kind: constantFrom("PersistentVolumeClaim", "VolumeSnapshot"),
  namespace: constantFrom("team-a"),
  name: constantFrom("data"),
  uid: constantFrom("u"),
  isHeld: boolean(),
  users: integer({ min: 0, max: 2 }),
});

tableTests({ name: "protecting", table: protecting, states });
