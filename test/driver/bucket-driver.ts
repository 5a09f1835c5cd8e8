import { parseArgs } from "node:util";
import { Capability } from "../../src/rpc/gen/buckets_pb.js";
import { defaultBucketSettings, startBucketDriver, type Wire } from "./bucket.ts";
import { runUntilStopped } from "./process.ts";

/** `node test/driver/bucket-driver.ts --socket s --state d [--script f] [--name n] [--wire native|upstream …] [--grants-on-create]` */
const { values } = parseArgs({
  options: {
    socket: { type: "string" },
    state: { type: "string" },
    script: { type: "string" },
    name: { type: "string" },
    wire: { type: "string", multiple: true },
    "grants-on-create": { type: "boolean" },
  },
});

const { capabilities } = defaultBucketSettings;

await runUntilStopped(values, async (place) => {
  return await startBucketDriver(place, {
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.wire === undefined ? {} : { wires: values.wire.map(wireOf) }),
    ...(values["grants-on-create"] === true ? { capabilities: [...capabilities, Capability.GRANTS_ON_CREATE] } : {}),
  });
});

function wireOf(word: string): Wire {
  const wire = defaultBucketSettings.wires.find((one) => one === word);
  if (wire === undefined) throw new Error(`there is no wire ${word}`);
  return wire;
}
