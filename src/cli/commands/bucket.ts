import type { Deferred } from "../command.ts";

export const bucket: Deferred = {
  name: "bucket",
  says: "buckets of an object store: make, see, open and remove them",
  load: async () => (await import("./bucket-commands.ts")).bucketCommands,
};
