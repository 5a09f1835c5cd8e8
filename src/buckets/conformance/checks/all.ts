import type { Check } from "../check.ts";
import { callChecks } from "./calls.ts";
import { createChecks } from "./create.ts";
import { deleteChecks } from "./delete.ts";
import { grantChecks } from "./grant.ts";
import { infoChecks } from "./info.ts";
import { keyChecks } from "./keys.ts";
import { revokeChecks } from "./revoke.ts";

export const allChecks: readonly Check[] = [
  ...infoChecks,
  ...createChecks,
  ...grantChecks,
  ...revokeChecks,
  ...deleteChecks,
  ...callChecks,
  ...keyChecks,
];
