import type { Node } from "./command.ts";
import { accept } from "./commands/accept.ts";
import { apply } from "./commands/apply.ts";
import { approve } from "./commands/approve.ts";
import { assign } from "./commands/assign.ts";
import { bucket } from "./commands/bucket.ts";
import { completion } from "./commands/completion.ts";
import { deny } from "./commands/deny.ts";
import { doctor } from "./commands/doctor.ts";
import { explain } from "./commands/explain.ts";
import { give } from "./commands/give.ts";
import { policy } from "./commands/policy.ts";
import { preview } from "./commands/preview.ts";
import { rename } from "./commands/rename.ts";
import { request } from "./commands/request.ts";
import { status } from "./commands/status.ts";
import { takeBack } from "./commands/take-back.ts";
import { undo } from "./commands/undo.ts";

/** Everything that a person types as `kubectl portway …`. */
export const kubectlCommands: readonly Node[] = [
  give,
  accept,
  takeBack,
  request,
  approve,
  deny,
  policy,
  preview,
  undo,
  status,
  explain,
  rename,
  assign,
  bucket,
  apply,
  doctor,
  completion,
];
