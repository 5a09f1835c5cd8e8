import type { CommandGroup } from "../command.ts";
import { bucket } from "./bucket.ts";
import { bucketCreate } from "./bucket-create.ts";
import { bucketDescribe } from "./bucket-describe.ts";
import { bucketEnv } from "./bucket-env.ts";
import { bucketList } from "./bucket-list.ts";
import { bucketRm } from "./bucket-rm.ts";

export const bucketCommands: CommandGroup = {
  name: bucket.name,
  says: bucket.says,
  commands: [bucketCreate, bucketList, bucketDescribe, bucketEnv, bucketRm],
};
