import { isDeepStrictEqual } from "node:util";
import { Capability } from "../../../rpc/gen/buckets_pb.js";
import { isDriverName } from "../../driver/sdk/driver-name.ts";
import type { Check } from "../check.ts";
import { holds } from "../expect.ts";

export const infoChecks: readonly Check[] = [
  {
    name: "info-is-complete",
    says: "The driver has a name, a version, protocols and capabilities that mean something.",
    next: "The name becomes the COSIRegistration's: a lower-case DNS subdomain of at most 63 characters. Name each protocol.",
    async run({ info: { name, version, protocols, capabilities } }) {
      holds("a lower-case DNS name of at most 63 characters", isDriverName(name), JSON.stringify(name));
      holds("a version", version !== "", "none");
      holds("protocols", protocols.length > 0 && !protocols.includes(""), JSON.stringify(protocols));
      const unknown = capabilities.filter((one) => one === Capability.UNSPECIFIED || Capability[one] === undefined);
      holds("capabilities of buckets.proto", unknown.length === 0, unknown.join());
    },
  },
  {
    name: "info-is-stable",
    says: "The driver says the same of itself whenever it is asked.",
    next: "A sidecar that meets another name or other capabilities ends itself: answer from what is fixed when you start.",
    async run({ calls, info }) {
      for (const _ of [1, 2, 3]) {
        const again = await calls.getDriverInfo({});
        holds("the same GetDriverInfo", isDeepStrictEqual(again, info), `another one: ${again.name}`);
      }
    },
  },
];
