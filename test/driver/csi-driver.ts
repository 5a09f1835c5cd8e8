import { parseArgs } from "node:util";
import { allCapabilities, type CapabilityName, startCsiDriver } from "./csi.ts";
import { runUntilStopped } from "./process.ts";

/** `node test/driver/csi-driver.ts --socket s --state d [--script f] [--name n] [--capability c …]` */
const { values } = parseArgs({
  options: {
    socket: { type: "string" },
    state: { type: "string" },
    script: { type: "string" },
    name: { type: "string" },
    capability: { type: "string", multiple: true },
    topology: { type: "string", multiple: true },
  },
});

const topology = Object.fromEntries((values.topology ?? []).map((pair) => pair.split("=", 2) as [string, string]));
await runUntilStopped(values, async (place) => {
  return await startCsiDriver(place, {
    topology,
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.capability === undefined ? {} : { capabilities: values.capability.map(capabilityOf) }),
  });
});

function capabilityOf(word: string): CapabilityName {
  const name = allCapabilities.find((one) => one === word);
  if (name === undefined) throw new Error(`there is no capability ${word}; there are ${allCapabilities.join(", ")}`);
  return name;
}
