import type { CommandGroup } from "../cli/command.ts";
import { buildCommand } from "./commands/build.ts";
import { down } from "./commands/down.ts";
import { env } from "./commands/env.ts";
import { logs } from "./commands/logs.ts";
import { status } from "./commands/status.ts";
import { up } from "./commands/up.ts";

export const dev: CommandGroup = {
  name: "dev",
  says: "a real Kubernetes control plane on this machine",
  commands: [up, down, status, env, logs, buildCommand],
};
